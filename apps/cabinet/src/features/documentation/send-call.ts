import { NoAnswer } from '@heliograph/contract';
import type { HttpCall } from '@heliograph/domain';

/** Bytes of an answer that are read. */
const MAX_SHOWN = 200_000;
/** Headers that say something about the call. */
const TOLD = [
  'content-type',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotency-replay',
];

export interface CallAnswer {
  status: number;
  statusText: string;
  /** Milliseconds until the body was read. */
  duration: number;
  headers: [name: string, value: string][];
  /** Indented if it is JSON. Null of a file, which is not shown. */
  text: string | null;
  /** `text` is the beginning of the body. */
  isCut: boolean;
  /** Of an error body. */
  code: string | null;
  /** The path of the page about the error. */
  docs: string | null;
}

/** A call as the console sends it: the server refuses it with any token but a test one. */
export const testOnly = (call: HttpCall): HttpCall => ({
  ...call,
  headers: { ...call.headers, 'X-Test-Only': 'true' },
});

/** Sends a call with a test token and nothing of the session. Throws `NoAnswer`, or what `signal` was aborted with. */
export async function sendCall(
  call: HttpCall,
  token: string,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const { method, path, headers, body } = testOnly(call);
  const started = performance.now();
  try {
    const answer = await fetch(path, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      body: body || null,
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const { text, isCut } = await textOf(answer);
    const { status, statusText } = answer;
    const error = answer.ok || isCut ? {} : errorOf(text);
    return {
      status,
      statusText,
      duration: Math.round(performance.now() - started),
      headers: TOLD.flatMap((name): [string, string][] => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
      text: isCut ? text : text && indented(text),
      isCut,
      code: error.code ?? null,
      docs: pageOf(error.docs),
    };
  } catch (error) {
    throw signal.aborted ? error : new NoAnswer(error);
  }
}

async function textOf(answer: Response): Promise<{ text: string | null; isCut: boolean }> {
  const type = answer.headers.get('content-type') ?? '';
  const reader = answer.body?.getReader();
  if (!reader) return { text: '', isCut: false };
  if (type && !/^(?:text\/|application\/(?:[\w.-]+\+)?json)/i.test(type)) {
    await reader.cancel();
    return { text: null, isCut: false };
  }
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    const rest = MAX_SHOWN - size;
    text += decoder.decode(value.subarray(0, rest), { stream: true });
    size += value.length;
    if (value.length > rest) {
      await reader.cancel();
      return { text, isCut: true };
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function indented(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

function errorOf(text: string | null): { code?: string; docs?: string } {
  const { code, docs } = (parsed(text ?? '') ?? {}) as { code?: unknown; docs?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof docs === 'string' && { docs }),
  };
}

/** The page on this site, whatever address the installation calls its own. */
function pageOf(docs: string | undefined): string | null {
  const url = docs && URL.canParse(docs) ? new URL(docs) : null;
  return url?.pathname.startsWith('/documentation/') ? url.pathname : null;
}

export const isJson = (text: string): boolean => parsed(text) !== undefined;

/** The values of the documented example by the names in the path of its title: `GET /contacts/{id}`. */
export function exampleValues(title: string, { path }: HttpCall): Record<string, string> {
  const [given = '', query = ''] = path.split('?');
  const template = title.slice(title.indexOf(' ') + 1).split('/');
  const parts = given.replace(/^\/api/, '').split('/');
  const inPath = template.flatMap((part, index): [string, string][] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name ? [[name, decodeURIComponent(parts[index] ?? '')]] : [];
  });
  return { ...Object.fromEntries(inPath), ...Object.fromEntries(new URLSearchParams(query)) };
}

/** Path and query with these values. Lists of a query parameter are separated by commas. */
export function pathWith(
  title: string,
  values: Record<string, string>,
  lists: ReadonlySet<string>,
): string {
  const template = title.slice(title.indexOf(' ') + 1);
  const inPath = new Set<string>();
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(values[name]?.trim() ?? '');
  });
  const query = new URLSearchParams(
    Object.entries(values)
      .filter(([name, value]) => !inPath.has(name) && value.trim())
      .flatMap(([name, value]) =>
        (lists.has(name) ? value.split(',') : [value]).map((one) => [name, one.trim()]),
      ),
  );
  return `/api${path}${query.size ? `?${query}` : ''}`;
}
