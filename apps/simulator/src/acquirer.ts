import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { SandboxServer, type SandboxPayment, type SandboxView } from '@heliograph/domain';
import { readForm } from './form.ts';
import { createHttpServer } from './http-server.ts';
import { isSame } from './same.ts';

const SIGNATURE_HEADER = 'x-sandbox-signature';

export interface AcquirerOptions {
  /** Authorizes the shop, and signs notifications. */
  secret: string;
  /** Address of this server for browsers, without a slash at the end. */
  baseUrl: () => string;
  /** Sends a signed notification; by default one `POST` that is not repeated. */
  deliver?: (url: string, body: string, signature: string) => Promise<unknown>;
}

/** The sandbox acquirer as a process of its own. README.md documents its API. Its payments live as long as the process. */
export class Acquirer {
  readonly payments = new Map<string, SandboxPayment>();
  private readonly ids = new Map<string, string>();
  private readonly sandbox: SandboxServer;

  constructor({ secret, baseUrl, deliver = post }: AcquirerOptions) {
    const { payments, ids } = this;
    this.sandbox = new SandboxServer({
      store: {
        byId: (id) => Promise.resolve(payments.get(id)),
        byReference: (reference) => Promise.resolve(payments.get(ids.get(reference) ?? '')),
        add(payment) {
          const isNew = !ids.has(payment.reference);
          if (isNew) {
            ids.set(payment.reference, payment.id);
            payments.set(payment.id, payment);
          }
          return Promise.resolve(isNew);
        },
        change(id, change) {
          const before = payments.get(id);
          if (!before) return Promise.resolve(undefined);
          const after = change(before);
          if (after) payments.set(id, after);
          return Promise.resolve({ before, after });
        },
      },
      newId: randomUUID,
      now: Date.now,
      get baseUrl() {
        return baseUrl();
      },
      isAuthorized: (authorization) => isSame(authorization ?? '', `Bearer ${secret}`),
      notify: (url, view) => void deliver(url, ...signed(secret, view)).catch(() => undefined),
      later: (ms, then) => void setTimeout(then, ms).unref(),
    });
  }

  serve(): Server {
    return createHttpServer((request, response) => this.handle(request, response));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://acquirer');
    const answer = await this.sandbox.respond({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      authorization: request.headers.authorization,
      body: await readForm(request),
    });
    const { status, html, json, location } = answer;
    if (location) response.writeHead(status, { location }).end();
    else if (html)
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    else
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(json ?? {}));
  }
}

function signed(secret: string, view: SandboxView): [body: string, signature: string] {
  const body = JSON.stringify(view);
  return [body, createHmac('sha256', secret).update(body).digest('hex')];
}

async function post(url: string, body: string, signature: string): Promise<void> {
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature };
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
}
