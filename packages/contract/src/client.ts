import type * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { ErrorBody } from './errors.ts';
import type { ListQuery } from './list.ts';

/** An error response of the API, with its body and headers. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Headers;
  constructor(status: number, body: ErrorBody, headers: Headers) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
  get code(): string {
    return this.body.code;
  }
}

/** The server could not be reached, or the connection was lost during the response. */
export class NoAnswer extends Error {
  constructor(cause?: unknown) {
    super('no answer', { cause });
    this.name = 'NoAnswer';
  }
}

type Query<E extends Endpoint> =
  z.output<NonNullable<E['query']>> extends ListQuery<infer F, infer O, infer S, infer G>
    ? Partial<ListQuery<F, O, S, G>>
    : z.input<NonNullable<E['query']>>;

type Params<E extends Endpoint> = z.input<NonNullable<E['params']>>;

export interface Call<E extends Endpoint> {
  params?: Params<E>;
  query?: Query<E>;
  body?: z.input<NonNullable<E['body']>> | FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Where the endpoint's path has parameters, the call and its `params` are required. */
type CallArgs<E extends Endpoint> =
  undefined extends Params<E> ? [call?: Call<E>] : [call: Call<E> & { params: Params<E> }];

export interface ClientOptions {
  /** URL of the API: `/api` or `http://127.0.0.1:3000/api`. */
  base: string;
  token?: () => string | null | undefined;
  fetch?: typeof fetch;
}

/** `createClient({ base: '/api', token })(contract.tasks.get, { params: { id } })` returns the parsed JSON or throws `ApiError` or `NoAnswer`. */
export function createClient({ base, token, fetch: go = fetch }: ClientOptions) {
  return async function api<E extends Endpoint>(
    endpoint: E,
    ...args: CallArgs<E>
  ): Promise<z.output<E['response']>> {
    const call: Call<E> = args[0] ?? {};
    const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
    const session = token?.();
    if (session) headers.authorization ??= session;
    let body: RequestInit['body'];
    if (call.body instanceof FormData) body = call.body;
    else if (call.body !== undefined) {
      body = JSON.stringify(call.body);
      headers['content-type'] = 'application/json';
    }
    const init = { method: endpoint.method, headers, body, signal: call.signal };
    const answer = await go(base + urlOf(endpoint, call), init).catch(noAnswer);
    const json = jsonOf(await answer.text().catch(noAnswer));
    if (!answer.ok && !endpoint.responses?.[answer.status]?.safeParse(json).success)
      throw new ApiError(answer.status, errorBody(answer, json), answer.headers);
    return json as z.output<E['response']>;
  };
}
export type Client = ReturnType<typeof createClient>;

/** `fetch` rejects with a TypeError on network errors, and with an AbortError when it is aborted. */
function noAnswer(error: unknown): never {
  throw error instanceof TypeError ? new NoAnswer(error) : error;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Proxies can respond without an `ErrorBody`. Field errors in such a response are kept. */
function errorBody(answer: Response, json: unknown): ErrorBody {
  const body = (json && typeof json === 'object' ? json : {}) as Partial<ErrorBody>;
  if (body.code) return body as ErrorBody;
  const code =
    answer.status === 401 ? 'unauthorized' : answer.status >= 500 ? 'unavailable' : 'bad_request';
  return {
    error: answer.status,
    code,
    // The name of a 400 error identifies its source.
    name: (answer.status === 400 && body.name) || 'HttpError',
    message: body.message ?? answer.statusText,
    ...(body.data && { data: body.data }),
    ...(body.errors && { errors: body.errors }),
    requestId: answer.headers.get('x-request-id') ?? '',
    docs: '',
  };
}

export function urlOf<E extends Endpoint>(endpoint: E, call: Call<E>): string {
  const params = (call.params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = toSearch((call.query ?? {}) as Record<string, unknown>);
  return query ? `${path}?${query}` : path;
}

/** Serializes a query. A `ListQuery` is converted to its wire format, other values are written unchanged. */
export function toSearch(query: Record<string, unknown>): string {
  const out = new URLSearchParams();
  const put = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) value.forEach((v, i) => put(`${name}[${i}]`, v));
    else if (typeof value === 'object')
      for (const [k, v] of Object.entries(value)) put(`${name}[${k}]`, v);
    else out.set(name, String(value));
  };
  const { offset, limit, order, search, scope, filter, range, ...rest } = query;
  put('$offset', offset || undefined);
  put('$limit', limit);
  put(
    '$order',
    (order as { field: string; direction: string }[] | undefined)?.map((o) => [
      o.field,
      o.direction,
    ]),
  );
  put('$search', search || undefined);
  put('$scope', (scope as string[] | undefined)?.length ? scope : undefined);
  for (const group of [filter, range, rest]) {
    for (const [k, v] of Object.entries((group as object | undefined) ?? {})) put(k, v);
  }
  return out.toString();
}
