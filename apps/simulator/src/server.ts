import type { IncomingMessage as Request, Server, ServerResponse } from 'node:http';

import type { ProfileOptions } from '@heliograph/simulators';

import type { Carrier } from './carrier.ts';
import { type Reply, createHttpServer, send } from './http-server.ts';
import { BadRequest, parseMessages } from './messages.ts';
import { page } from './page.ts';
import { isSigned } from './signature.ts';

const MAX_BODY_BYTES = 32 * 1_024 * 1_024;

/** The HTTP server of the carrier. README.md documents its API. */
export function serve(carrier: Carrier, secret?: string): Server {
  return createHttpServer((request, response) => handleRequest(carrier, secret, request, response));
}

async function handleRequest(
  carrier: Carrier,
  secret: string | undefined,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://simulator');
  const body = await readBody(request);
  if (isCrossOrigin(request)) return send(response, { status: 403 });
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /messages':
      return send(response, submitMessages(carrier, secret, request, body));
    case 'GET /log':
      return sendLog(carrier, url.searchParams, response);
    case 'GET /log/summary':
      return send(response, { status: 200, body: presentSummary(carrier) });
    case 'GET /profile':
      return send(response, { status: 200, body: presentProfile(carrier) });
    case 'PUT /profile':
      return send(response, changeProfile(carrier, parse(body)));
    case 'POST /reset':
      carrier.reset();
      return send(response, { status: 204 });
    case 'GET /':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      return;
    default:
      return send(response, { status: 404 });
  }
}

/** Refuses requests from pages of other sites, which could otherwise control a simulator on the same machine. */
function isCrossOrigin({ method, headers }: Request): boolean {
  if (method === 'GET' || !headers.origin) return false;
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}

function submitMessages(
  carrier: Carrier,
  secret: string | undefined,
  request: Request,
  body: Buffer,
): Reply {
  if (secret && !isSigned(secret, request.headers, body)) return { status: 401 };
  if (carrier.profile.down) return { status: 503, headers: { 'retry-after': '30' } };
  const results = carrier.submit(parseMessages(parse(body)), Date.now());
  return { status: 200, body: { results } };
}

function changeProfile(carrier: Carrier, body: unknown): Reply {
  if (typeof body !== 'object' || body === null) throw new BadRequest('The body must be an object');
  const { seed = carrier.seed, ...options } = body as { seed?: unknown } & ProfileOptions;
  try {
    carrier.setProfile(options, String(seed));
  } catch (error) {
    if (error instanceof RangeError) return { status: 422, body: { message: error.message } };
    throw error;
  }
  return { status: 200, body: presentProfile(carrier) };
}

function presentProfile({ options, profile, seed }: Carrier) {
  return { options, seed, effective: profile };
}

function presentSummary({ register, reports, replies }: Carrier) {
  const state = ({ posted, waiting, failures, lastError }: typeof reports | typeof replies) => {
    return { posted, waiting, failures, lastError };
  };
  return { ...register.summary(), reports: state(reports), replies: state(replies) };
}

const MAX_PAGE_SIZE = 10_000;

/** A page of the log, or all of it as JSON lines with `?format=ndjson`. */
async function sendLog(carrier: Carrier, query: URLSearchParams, response: ServerResponse) {
  const { distinct: total } = carrier.register.summary();
  if (query.get('format') === 'ndjson') {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (let offset = 0; offset < total && !response.destroyed; offset += MAX_PAGE_SIZE) {
      const lines = carrier.register
        .page(offset, MAX_PAGE_SIZE)
        .map((entry) => `${JSON.stringify(entry)}\n`);
      if (!response.write(lines.join(''))) await drained(response);
    }
    response.end();
    return;
  }
  const offset = parseNumber(query.get('offset'), 0, Number.MAX_SAFE_INTEGER);
  const limit = parseNumber(query.get('limit'), 1_000, MAX_PAGE_SIZE);
  const data = carrier.register.page(offset, limit);
  send(response, { status: 200, body: { data, total, limit, offset } });
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function parseNumber(value: string | null, fallback: number, max: number): number {
  if (value === null) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0)
    throw new BadRequest('offset and limit must be non-negative integers');
  return Math.min(number, max);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new BadRequest('The body is not valid JSON');
  }
}

async function readBody(request: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new BadRequest('The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
