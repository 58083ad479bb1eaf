import { billings, telemetry, templates, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AppError } from '../src/core/errors.ts';
import { asAppError, ErrorFilter } from '../src/core/http/error-filter.ts';
import { raw } from './raw.ts';
import { type Person, World } from './world.ts';

let world: World;
let customer: Person;
let reseller: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  customer = await world.person({ resellerId: reseller.id });
});
afterAll(() => world.stop());

async function call(method: string, path: string, body?: string, token = customer.token) {
  const { status, headers, json } = await raw(world, { token }, method, path, body);
  return { status, id: headers.get('x-request-id'), json };
}

test('every refusal has the same shape, with the request id of the header', async () => {
  const { status, id, json } = await call('GET', `/users/${reseller.id}`);
  expect(status).toBe(404);
  expect(json).toEqual({
    error: 404,
    code: 'not_found',
    name: 'AppError',
    message: 'The resource does not exist, or you do not have access to it.',
    requestId: id,
    docs: `${world.config.publicUrl}/documentation/api/errors/not_found`,
  });
});

test('a validation error lists its fields in both `data` and `errors`', async () => {
  const body = JSON.stringify({ username: 'ab', data: { email: 'not-an-email' } });
  const { status, json } = await call('PUT', `/users/${customer.id}`, body);
  expect(status).toBe(422);
  expect(json).toMatchObject({ error: 422, code: 'validation', name: 'ValidationError' });
  expect(json.data.map((d: { field: string }) => d.field)).toEqual(['username', 'data.email']);
  expect(json.data[0]).toEqual({
    field: 'username',
    message: expect.any(String),
    type: 'too_small',
  });
  expect(json.errors[1]).toEqual({
    property: 'data.email',
    constraints: { email: expect.any(String) },
  });
});

test('a body that is not JSON is 400', async () => {
  const { status, json } = await call('PUT', `/users/${customer.id}`, '{"username": ');
  expect([status, json.code, json.error]).toEqual([400, 'malformed_json', 400]);
  expect((await call('PUT', `/users/${customer.id}`, 'null')).status).toBe(400);
});

test.each([
  ['/users?colour=red', 'colour'],
  ['/users?$order[0][0]=password_hash&$order[0][1]=desc', '$order.0.0'],
  ['/audit?$search=x', '$search'],
  ['/billings?createdAt[$like]=2026', 'createdAt.$like'],
  ['/billings?createdAt[$gt]=yesterday', 'createdAt.$gt'],
  ['/billings?$limit=100000', '$limit'],
  ['/billings?status=paid', 'status.0'],
  ['/users/not-an-id', 'id'],
  ['/storage/usage?OwnerId=01930000-0000-7000-8000-000000000001', 'OwnerId'],
  ['/settings?colour=red', 'colour'],
  ['/storage/01930000-0000-7000-8000-000000000001/preview?page=2', 'page'],
  ['/sendernames?scope=full&$scope=attached', '$scope'],
  ['/users/01930000-0000-7000-8000-000000000001?scope=full&$scope=meta', '$scope'],
  ['/users?$limit=0x10', '$limit'],
  ['/users?$limit=1e2', '$limit'],
  ['/users?$limit=%2B5', '$limit'],
  ['/users?$limit=%205', '$limit'],
  ['/users?$limit[]=5', '$limit'],
  ['/users?$offset=', '$offset'],
  ['/users?$offset=-1', '$offset'],
  ['/users?$offset=1.5', '$offset'],
])('GET %s is 422 and names %s', async (path, field) => {
  const { status, json } = await call('GET', path);
  expect([status, json.data?.[0]?.field]).toEqual([422, field]);
});

test('calls that change something refuse unknown parameters too', async () => {
  const { status, json } = await call('POST', '/contactLists?OwnerId=x', '{"title":"A"}');
  expect([status, json.code, json.data[0].field]).toEqual([422, 'unknown_field', 'OwnerId']);
});

test.each(['/users?_=1&access_token=x', '/settings?_=1', '/storage/usage?token=x', '/health?x=1'])(
  'GET %s is answered: programs add such parameters to any call',
  async (path) => {
    expect((await call('GET', path)).status).toBe(200);
  },
);

test.each(['$scope[0]=full', 'scope=full&return=meta', '_=1&access_token=x'])(
  'every call takes what clients send with all of them: %s',
  async (query) => {
    const own = await call('GET', `/users/me?${query}`);
    const created = await call('POST', `/contactLists?${query}`, '{"title":"A","type":"regular"}');
    expect([own.status, created.status]).toEqual([200, 201]);
  },
);
test('an unknown field is refused where the body is strict', async () => {
  const body = JSON.stringify({
    title: 'A',
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Tea', colour: 'red' },
  });
  const { status, json } = await call('POST', templates.create.path, body);
  expect([status, json.code, json.data[0].field]).toEqual([422, 'unknown_field', 'payload.colour']);
});

test('refuses a negative amount, an amount that is a string or null, and 1e300', async () => {
  for (const amount of [-5, '"5"', 1e300, 'null']) {
    const body = `{"source": "accrual", "amount": ${amount}, "OwnerId": "${customer.id}"}`;
    const { status, json } = await call('POST', billings.create.path, body, reseller.token);
    expect([status, json.data[0].field]).toEqual([422, 'amount']);
  }
});

test('refuses 300 ids in a filter with 422, and 10,000 with 431', async () => {
  const ids = (n: number) =>
    Array.from({ length: n }, (_, i) => `id[${i}]=${customer.id}`).join('&');
  expect((await call('GET', `/billings?${ids(200)}`)).status).toBe(200);
  const { status, json } = await call('GET', `/billings?${ids(300)}`);
  expect([status, json.data[0].field]).toEqual([422, 'id']);
  expect(await call('GET', `/billings?${ids(10_000)}`)).toMatchObject({
    status: 431,
    json: { error: 431, code: 'headers_too_large' },
  });
});

test('searches for SQL literally, not at all for what nobody sees, and refuses NUL and lone surrogates', async () => {
  for (const search of [`'; drop table users; --`, '\\', '%', '‘']) {
    expect((await reseller.api(users.find, { query: { search } })).total).toBe(0);
  }
  const all = (await reseller.api(users.find, {})).total;
  expect((await reseller.api(users.find, { query: { search: '\u202e\n' } })).total).toBe(all);
  const nul = await call('GET', `/users?$search=${encodeURIComponent('a\u0000b')}`);
  expect([nul.status, nul.json.data[0].field]).toEqual([422, '$search']);
  for (const url of ['\\u0000', 'half an emoji \\ud83d']) {
    const visit = await call('POST', telemetry.create.path, `{"data": {"url": "${url}"}}`);
    expect([visit.status, visit.json.data[0].field]).toEqual([422, 'data.url']);
  }
});

test('an unknown path is 404 in the same shape', async () => {
  const { status, json } = await call('GET', '/nothing-here');
  expect([status, json.code, json.error]).toEqual([404, 'not_found', 404]);
});

test('a missing permission is 403 and named in the payload', async () => {
  const body = JSON.stringify({ source: 'accrual', amount: 5, OwnerId: reseller.id });
  const { status, json } = await call('POST', billings.create.path, body);
  expect([status, json.code, json.name]).toEqual([403, 'forbidden', 'PermissionError']);
  expect(json.payload).toEqual({ permission: 'billings.generate' });
});

test('logs only unexpected errors at level error', () => {
  const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
  const response = {
    removeHeader: () => undefined,
    status: () => response,
    set: () => response,
    json: () => response,
  };
  const http = { getRequest: () => ({}), getResponse: () => response };
  const filter = new ErrorFilter(log as never, {} as never, {} as never);
  const host = { switchToHttp: () => http } as never;
  filter.catch(new AppError('unavailable'), host);
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 0]);
  filter.catch(new Error('unexpected'), host);
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 1]);
  filter.catch(new AppError('not_found'), host);
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 1]);
});

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query runner already released. Cannot run queries anymore.',
])('a lost database connection is 503 unavailable: %s', (message) => {
  expect(asAppError(new Error(message))).toMatchObject({ code: 'unavailable', status: 503 });
});

test.each(['53100', '53200', '58030', '25006'])(
  'a database that has no room or takes no writes is 503 unavailable, and to be asked again: %s',
  (code) => {
    expect(asAppError(Object.assign(new Error('could not extend file'), { code }))).toMatchObject({
      code: 'unavailable',
      status: 503,
      detail: { headers: { 'retry-after': expect.any(String) } },
    });
  },
);

test('a row that was created or removed by a concurrent request is 409 conflict', () => {
  for (const code of ['23505', '23503'])
    expect(asAppError(Object.assign(new Error('violated'), { code }))).toMatchObject({
      code: 'conflict',
      status: 409,
    });
});
