import { ApiError, NoAnswer } from './errors.ts';

export interface ClientOptions {
  /** The address of the installation, without `/api`: `https://messages.example`. */
  url: string;
  /** An API token, or a function that gives it for each call. Calls of visitors have none. */
  token?: string | (() => string | undefined);
  /** Milliseconds for one attempt; 30,000 by default. Long polls wait for as long as the server does. */
  timeout?: number;
  /** How often a call is made at most, if it may be repeated; 4 by default. */
  attempts?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, also between two attempts. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt. */
  timeout?: number;
  /** The same key has the effect of one call. A random one is sent if none is given. */
  idempotencyKey?: string;
}

/** A call of the API as data. */
export interface Operation {
  method: string;
  path: string;
  /** `always` may be repeated, `with-key` under the same `Idempotency-Key`, `never` only if the server did not begin with it. */
  repeatable: 'always' | 'with-key' | 'never';
  body?: 'json' | 'file';
  query?: true;
  /** A list that continues after the last row's id. */
  cursor?: true;
  /** Waits for a change. */
  longPoll?: true;
  /** Answers with a file. */
  download?: true;
  /** Statuses with which it answers a result or an error: a message that was refused has an id and a status. */
  results?: number[];
}

export type Operations = Record<string, Record<string, Operation>>;

/** Rows of a list, and how many there are. */
export interface Page<T> {
  data: T[];
  total: number;
  limit: number;
  offset: number;
}

type Find<Q, T> = (query?: Q, options?: CallOptions) => Promise<Page<T>>;

/** Reachable by offset; further rows by a cursor. */
const LAST_OFFSET = 10_000;
const PAGE = 500;
/** Statuses that say: not now. */
const BUSY = new Set([429, 503]);
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);
const LONGEST_WAIT = 60_000;

const operationOf = new WeakMap<object, Operation>();

/** The calls of the API, grouped by noun: `client.sendings.create(body)`. */
export class Client {
  readonly #options: Required<Omit<ClientOptions, 'token'>> & Pick<ClientOptions, 'token'>;

  constructor(operations: Operations, { url, ...options }: ClientOptions) {
    // As of a variable of the environment that is not set.
    if (!url) throw new TypeError('The url of the installation is missing.');
    this.#options = {
      timeout: 30_000,
      attempts: 4,
      fetch: (...args) => fetch(...args),
      ...options,
      url: url.replace(/\/$/, ''),
    };
    for (const [noun, verbs] of Object.entries(operations)) {
      const calls: Record<string, unknown> = {};
      for (const [verb, operation] of Object.entries(verbs)) {
        const call = (...args: unknown[]) => this.#run(operation, args);
        operationOf.set(call, operation);
        calls[verb] = call;
      }
      Object.defineProperty(this, noun, { value: calls, enumerable: true });
    }
  }

  /** The address of the installation, without a slash at the end. */
  get url(): string {
    return this.#options.url;
  }

  get token(): string | undefined {
    const { token } = this.#options;
    return typeof token === 'function' ? token() : token;
  }

  /**
   * Every row of a list, page by page: `for await (const contact of client.each(client.contacts.find, { ListId }))`.
   * Lists with a cursor have no end; the others end after 10,500 rows.
   */
  async *each<Q extends object, T>(
    find: Find<Q, T>,
    query?: Q,
    options?: CallOptions,
  ): AsyncGenerator<T, void, undefined> {
    const given = { $limit: PAGE, ...query } as Record<string, unknown>;
    const byCursor = operationOf.get(find)?.cursor && !given.$order && !given.$offset;
    let offset = Number(given.$offset ?? 0);
    let cursor: unknown;
    for (;;) {
      const place = byCursor ? cursor && { cursor } : { $offset: offset };
      const { data } = await find({ ...given, ...(place as object) } as unknown as Q, options);
      yield* data;
      if (data.length < Number(given.$limit)) return;
      offset += data.length;
      cursor = (data.at(-1) as { id?: string }).id;
      if (!byCursor && offset > LAST_OFFSET) return;
    }
  }

  async #run(operation: Operation, args: unknown[]): Promise<unknown> {
    const rest = [...args];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest.shift();
      if (typeof value !== 'string' || !value) throw new TypeError(`${name} is missing`);
      return encodeURIComponent(value);
    });
    const body = operation.body && rest.shift();
    const given = operation.query && !operation.body ? rest.shift() : undefined;
    const { query = given, ...options } = (rest.shift() ?? {}) as CallOptions & { query?: unknown };
    const search = query ? searchOf(query as Record<string, unknown>) : '';
    const url = `${this.url}/api${path}${search && `?${search}`}`;
    const key = options.idempotencyKey ?? globalThis.crypto.randomUUID();
    const request = (): RequestInit => ({
      method: operation.method,
      headers: this.#headers(operation, body, key),
      body: bodyOf(operation, body) ?? null,
    });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(url, request(), operation, options);
      } catch (error) {
        if (attempt >= this.#options.attempts || !mayRepeat(operation, error)) throw error;
        const told = error instanceof ApiError ? error.retryAfter : undefined;
        // Apart by chance, so that many programs do not come back at once.
        const wait = told === undefined ? 250 * 2 ** attempt * (0.5 + Math.random()) : told * 1000;
        if (wait > LONGEST_WAIT) throw error;
        await pause(wait, options.signal);
      }
    }
  }

  #headers(operation: Operation, body: unknown, key: string): Record<string, string> {
    const { token } = this;
    return {
      accept: operation.download ? '*/*' : 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(operation.repeatable === 'with-key' && { 'idempotency-key': key }),
      ...(operation.body === 'json' &&
        body !== undefined && { 'content-type': 'application/json' }),
    };
  }

  async #attempt(
    url: string,
    request: RequestInit,
    operation: Operation,
    { signal, timeout = operation.longPoll ? 120_000 : this.#options.timeout }: CallOptions,
  ): Promise<unknown> {
    const limit = AbortSignal.timeout(timeout);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    try {
      const response = await this.#options.fetch(url, { ...request, signal: either });
      if (response.ok && operation.download) return await response.blob();
      const text = await response.text();
      const body = jsonOf(text);
      if (response.ok || isResult(operation, response.status, body)) return body;
      throw new ApiError(response.status, body, response.headers);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      signal?.throwIfAborted();
      throw new NoAnswer(error);
    }
  }
}

const isResult = ({ results }: Operation, status: number, body: unknown): boolean =>
  Boolean(results?.includes(status)) &&
  typeof body === 'object' &&
  body !== null &&
  !('code' in body);

function mayRepeat({ repeatable }: Operation, error: unknown): boolean {
  if (error instanceof NoAnswer) return repeatable !== 'never';
  if (!(error instanceof ApiError)) return false;
  // The first call under this key still runs.
  if (error.code === 'idempotency_running') return true;
  return (
    (repeatable === 'never' ? BUSY : TEMPORARY).has(error.status) && error.code !== 'poll_timeout'
  );
}

function bodyOf({ body: kind }: Operation, body: unknown): BodyInit | undefined {
  if (kind === 'file') {
    const form = new FormData();
    form.set('file', body as Blob);
    return form;
  }
  return body === undefined ? undefined : JSON.stringify(body);
}

function jsonOf(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
}

/** `{ status: ['sent'], createdAt: { $gt } }` is `status[0]=sent&createdAt[$gt]=`. */
function searchOf(query: Record<string, unknown>): string {
  const out = new URLSearchParams();
  const put = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (value instanceof Date) out.append(name, value.toISOString());
    else if (typeof value === 'object')
      for (const [key, one] of Object.entries(value)) put(`${name}[${key}]`, one);
    else out.append(name, String(value));
  };
  for (const [name, value] of Object.entries(query)) put(name, value);
  return out.toString();
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
