import { expect, test } from 'vitest';
import { Client, type CallOptions, type Operations, type Page } from '../src/client.ts';
import { ApiError, NoAnswer } from '../src/errors.ts';

const OPERATIONS = {
  things: {
    find: { method: 'GET', path: '/things', repeatable: 'always', query: true, cursor: true },
    old: { method: 'GET', path: '/old', repeatable: 'always', query: true },
    get: { method: 'GET', path: '/things/{id}', repeatable: 'always' },
    create: {
      method: 'POST',
      path: '/things',
      repeatable: 'with-key',
      body: 'json',
      results: [400],
    },
    tell: {
      method: 'POST',
      path: '/things/{id}/tell',
      repeatable: 'never',
      body: 'json',
      query: true,
    },
    upload: { method: 'POST', path: '/files', repeatable: 'always', body: 'file' },
    pdf: { method: 'GET', path: '/things/{id}/pdf', repeatable: 'always', download: true },
  },
} as const satisfies Operations;

type Row = { id: string };
interface Things extends Client {
  things: {
    find(query?: object, options?: CallOptions): Promise<Page<Row>>;
    old(query?: object, options?: CallOptions): Promise<Page<Row>>;
    get(id: string, options?: CallOptions): Promise<Row>;
    create(body: object, options?: CallOptions): Promise<Row>;
    tell(id: string, body: object, options?: CallOptions & { query?: object }): Promise<Row>;
    upload(file: Blob): Promise<Row>;
    pdf(id: string): Promise<Blob>;
  };
}
interface Call {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

const json =
  (status: number, body: unknown, headers = {}) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
const lost = () => Promise.reject(new TypeError('fetch failed'));

/** A client whose calls get these answers in turn. */
function clientOf(...answers: (() => Promise<Response>)[]): { client: Things; calls: Call[] } {
  const calls: Call[] = [];
  const client = new Client(OPERATIONS, {
    url: 'https://messages.example/',
    token: 'hg_1',
    fetch: (url, init) => {
      const { method, headers, body } = init as RequestInit & { headers: Record<string, string> };
      calls.push({ url: String(url), method: method!, headers, body });
      return answers.shift()!();
    },
  }) as Things;
  return { client, calls };
}
const NOW = { 'retry-after': '0' };

test('takes what is in the path, the body and the options in this order', async () => {
  const { client, calls } = clientOf(json(200, { id: '1' }));
  const query = { status: ['sent', 'failed'], createdAt: { $gt: new Date(0) }, none: undefined };
  expect(await client.things.tell('a/b', { text: 'Hi' }, { query })).toEqual({ id: '1' });
  expect(decodeURIComponent(calls[0]!.url)).toBe(
    'https://messages.example/api/things/a/b/tell?status[0]=sent&status[1]=failed&createdAt[$gt]=1970-01-01T00:00:00.000Z',
  );
  expect(calls[0]!.url).toContain('/things/a%2Fb/tell');
  expect(calls[0]).toMatchObject({ method: 'POST', body: '{"text":"Hi"}' });
  expect(calls[0]!.headers).toMatchObject({
    authorization: 'Bearer hg_1',
    'content-type': 'application/json',
  });
});

test('an address that is missing, as of a variable that is not set, is named', () => {
  const url = process.env.NO_SUCH_VARIABLE!;
  expect(() => new Client(OPERATIONS, { url })).toThrow('The url of the installation is missing.');
});

test('the receipt of a message that is refused is an error with its reason', async () => {
  const error = 'The recipient is not a valid address for this channel.';
  const { client } = clientOf(json(400, { status: 'failed', error, code: 'invalid_recipient' }));
  await expect(client.things.create({})).rejects.toMatchObject({
    message: error,
    code: 'invalid_recipient',
    status: 400,
  });
});

test('a parameter of the path that is missing is an error before any call', async () => {
  const { client, calls } = clientOf();
  await expect(client.things.get('')).rejects.toThrow(TypeError);
  expect(calls).toEqual([]);
});

test('repeats a lost call under the same key', async () => {
  const { client, calls } = clientOf(lost, json(503, {}, NOW), json(201, { id: '1' }));
  expect(await client.things.create({})).toEqual({ id: '1' });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(3);
});

test('sends the key that it is given, and none where there is no use for one', async () => {
  const { client, calls } = clientOf(json(201, {}), json(200, {}));
  await client.things.create({}, { idempotencyKey: 'order-1' });
  await client.things.get('1');
  expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', undefined]);
});

test('does not repeat a lost call that may have had its effect', async () => {
  const { client, calls } = clientOf(lost);
  await expect(client.things.tell('1', {})).rejects.toThrow(NoAnswer);
  expect(calls).toHaveLength(1);
});

test('repeats any call that the server did not begin with', async () => {
  const { client, calls } = clientOf(json(429, {}, NOW), json(200, { id: '1' }));
  await client.things.tell('1', {});
  expect(calls).toHaveLength(2);
});

test('ends after the last attempt with its error', async () => {
  const busy = json(429, { code: 'rate_limited', message: 'Slow down' }, NOW);
  const { client, calls } = clientOf(busy, busy, busy, busy);
  await expect(client.things.get('1')).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
  expect(calls).toHaveLength(4);
});

test('does not wait for longer than a minute', async () => {
  const { client, calls } = clientOf(
    json(429, { code: 'rate_limited' }, { 'retry-after': '3600' }),
  );
  await expect(client.things.get('1')).rejects.toMatchObject({ retryAfter: 3600 });
  expect(calls).toHaveLength(1);
});

test('an error has the code, the fields and the id of the call', async () => {
  const DOCS = 'https://example.com/documentation/api/errors/validation';
  const data = [{ field: 'title', message: 'Required' }];
  const { client } = clientOf(
    json(422, { code: 'validation', message: 'Wrong', data, requestId: 'r1', docs: DOCS }),
    json(400, { type: 'InvalidCodeException', message: 'Wrong code', httpStatus: 400 }),
    () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 404 })),
  );
  const error = await client.things.create({}).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'validation',
    fields: data,
    requestId: 'r1',
    docs: DOCS,
    message: 'Wrong',
  });
  await expect(client.things.get('1')).rejects.toMatchObject({ code: 'InvalidCodeException' });
  await expect(client.things.get('1')).rejects.toMatchObject({
    code: 'http_404',
    docs: undefined,
  });
});

test('a thing that is refused is a result with its status, where the call is documented so', async () => {
  const refused = { id: '1', status: 'failed' };
  const { client } = clientOf(
    json(400, refused),
    json(400, { code: 'bad_request' }),
    json(400, refused),
  );
  expect(await client.things.create({})).toEqual(refused);
  await expect(client.things.create({})).rejects.toMatchObject({ code: 'bad_request' });
  await expect(client.things.get('1')).rejects.toThrow(ApiError);
});

test('ends at once when it is aborted, also between two attempts', async () => {
  const ended = new AbortController();
  const { client, calls } = clientOf(json(429, {}, { 'retry-after': '60' }));
  const call = client.things.get('1', { signal: ended.signal });
  ended.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(calls.length).toBeLessThan(2);
});

test('uploads a file as a form and reads one as a blob', async () => {
  const { client, calls } = clientOf(json(201, { id: 'f' }), () =>
    Promise.resolve(new Response('%PDF')),
  );
  await client.things.upload(new File(['a,b'], 'list.csv'));
  const form = calls[0]!.body as FormData;
  expect((form.get('file') as File).name).toBe('list.csv');
  expect(calls[0]!.headers['content-type']).toBeUndefined();
  expect(await (await client.things.pdf('1')).text()).toBe('%PDF');
});

const rows = (from: number, count: number) => ({
  data: Array.from({ length: count }, (_, i) => ({ id: String(from + i) })),
  total: 5,
  limit: 2,
  offset: from,
});
const collect = async (all: AsyncIterable<Row>) => {
  const ids: string[] = [];
  for await (const { id } of all) ids.push(id);
  return ids;
};

test('reads every row of a list after the last one', async () => {
  const { client, calls } = clientOf(
    ...[0, 2].map((i) => json(200, rows(i, 2))),
    json(200, rows(4, 1)),
  );
  expect(await collect(client.each(client.things.find, { $limit: 2 }))).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
  ]);
  expect(calls.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, '1', '3']);
});

test('reads every row of a list by offset where it has no cursor or an order of its own', async () => {
  const { client, calls } = clientOf(
    json(200, rows(0, 2)),
    json(200, rows(2, 0)),
    json(200, rows(0, 2)),
    json(200, rows(2, 1)),
  );
  expect(await collect(client.each(client.things.old, { $limit: 2 }))).toEqual(['0', '1']);
  const ordered = { $limit: 2, $order: 'title:asc' };
  expect(await collect(client.each(client.things.find, ordered))).toEqual(['0', '1', '2']);
  expect(calls.map(({ url }) => new URL(url).searchParams.get('$offset'))).toEqual([
    '0',
    '2',
    '0',
    '2',
  ]);
});
