import { contactLists, sendings, storage, telemetry, users } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel } from './channel.ts';
import { fieldsOf, raw } from './raw.ts';
import { type Person, World } from './world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  owner = await world.person();
});
afterAll(() => world.stop());

const KB = 1024;
const PHONE = '+79161234567';
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
/** A body of exactly so many bytes. */
const sized = (bytes: number) => `{"title":"${'x'.repeat(bytes - 12)}"}`;
const put = (body: unknown, headers = {}) =>
  raw(world, owner, 'PUT', `/users/${owner.id}`, body, headers);
const post = (path: string, body: unknown, headers = {}) =>
  raw(world, owner, 'POST', path, body, headers);

/** The status line of the answer to request headers whose body is never sent. */
function answerToHead(path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(world.base).port), '127.0.0.1');
    const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers });
    socket.write(
      `POST /api${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`,
    );
    socket.setTimeout(3000, () => reject(new Error('no answer before the body')));
    socket.once('error', reject).once('data', (data) => {
      resolve(data.toString().split('\r\n')[0]!);
      socket.destroy();
    });
  });
}

describe('body size', () => {
  test('refuses more than 64 kB, or than the limit of the endpoint', async () => {
    expect((await post(contactLists.create.path, sized(64 * KB))).status).toBe(422);
    for (const path of [contactLists.create.path, '/login', telemetry.create.path])
      expect(await post(path, sized(64 * KB + 1))).toMatchObject({
        status: 413,
        json: { code: 'too_large', payload: { max: 64 * KB } },
      });
    for (const path of [sendings.create.path, sendings.estimate.path, '/templates']) {
      expect((await post(path, sized(4096 * KB))).status).toBe(422);
      expect((await post(path, sized(4096 * KB + 1))).json.payload).toEqual({ max: 4096 * KB });
    }
  });

  test('refuses a large body without a Content-Length', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(KB));
    let sent = 0;
    const body = new ReadableStream({
      pull: (to) => (++sent > 10_000 ? to.close() : to.enqueue(chunk)),
    });
    const { status } = await fetch(`${world.base}/api/contactLists`, {
      method: 'POST',
      headers: { authorization: owner.token, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(status).toBe(413);
  });

  test.each([
    ['without a session', '/sendings', {} as Record<string, string>, 401],
    ['with an invalid session', '/sendings', { authorization: 'x' }, 401],
    ['without the permission', '/channels', {}, 403],
    ['at an unknown path', '/nothing', {}, 404],
    ['for an unknown channel', '/channels/nothing/statuses', {}, 404],
    ['with a Content-Length above the limit', '/login', {}, 413],
    ['compressed', '/login', { 'content-encoding': 'gzip' }, 415],
  ])('a request %s is refused before its body is read', async (reason, path, headers, status) => {
    const head: Record<string, string> = { 'content-length': '4000000', ...headers };
    if (reason === 'without the permission') head.authorization = owner.token;
    expect(await answerToHead(path, head)).toContain(` ${status} `);
  });

  test('accepts reports of a carrier up to 1 MB, and checks the signature before it parses JSON', async () => {
    const channel = await createChannel(world);
    const path = `/channels/${channel.name}/statuses`;
    const report = { reference: 'x'.repeat(100), externalId: 'y'.repeat(255), status: 'sent' };
    const statuses = Array.from({ length: 1000 }, () => report);
    const headers = channel.headersFor({ statuses });
    expect((await post(path, { statuses }, headers)).status).toBe(200);
    expect((await post(path, sized(KB * KB + 1), headers)).status).toBe(413);
    expect((await post(path, '{', headers)).status).toBe(401);
  });
});

test('no body is the same as an empty object', async () => {
  const missing = await post('/contactLists', undefined);
  expect([missing.status, fieldsOf(missing)]).toEqual([422, ['title', 'type']]);
  const manager = await world.person({ level: 'manager' });
  const reject = `/n/invoices/${randomUUID()}/reject`;
  expect((await raw(world, manager, 'POST', reject)).status).toBe(404);
  const document = await raw(world, owner, 'GET', '/openapi.json');
  const isRequired = (path: string) => document.json.paths[path].post.requestBody.required;
  expect([isRequired('/contactLists'), isRequired('/n/invoices/{id}/reject')]).toEqual([
    true,
    false,
  ]);
});

describe('content type and encoding', () => {
  test.each(['gzip', 'GZIP', 'deflate', 'br', 'zstd', 'gzip, identity', 'nonsense'])(
    'a body with Content-Encoding %s is 415',
    async (encoding) => {
      const headers = { authorization: owner.token, 'content-encoding': encoding };
      for (const path of [contactLists.create.path, storage.create.path]) {
        const { status } = await request(world.base)
          .post(`/api${path}`)
          .set({ ...headers, 'content-type': 'application/json', 'x-filename': 'a.json' })
          .send(gzipSync('{"title":"Tea"}'));
        expect([path, status]).toEqual([path, 415]);
      }
    },
  );

  test.each([
    ['text/plain', 415],
    ['text/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/octet-stream', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonp', 415],
    ['', 415],
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset="UTF-8"', 201],
    ['application/json; odata=verbose', 201],
  ])('JSON as %j is %i', async (type, status) => {
    const body = new TextEncoder().encode('{"title":"Tea","type":"regular"}');
    const headers = { authorization: owner.token, ...(type && { 'content-type': type }) };
    const init = { method: 'POST', headers, body };
    const answer = await fetch(`${world.base}/api/contactLists`, init);
    expect(answer.status).toBe(status);
  });

  test.each([
    ['windows-1251', Buffer.from([0xd7, 0xe0, 0xe9])],
    ['UTF-8 that is cut', Buffer.from('Чай').subarray(0, 5)],
    ['a surrogate of its own', Buffer.from([0xed, 0xa0, 0x80])],
  ])('a text in %s is refused, not replaced', async (_, title) => {
    const body = Buffer.concat([
      Buffer.from('{"type":"regular","title":"'),
      title,
      Buffer.from('"}'),
    ]);
    const headers = { authorization: owner.token, 'content-type': 'application/json' };
    const answer = await fetch(`${world.base}/api/contactLists`, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'malformed_json' }]);
  });

  test('a form is accepted where the contract allows one', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post('/login', 'username=unknown&password=x', form)).toMatchObject({
      status: 401,
      json: { code: 'wrong_credentials' },
    });
    const deep = `username${'[a]'.repeat(5000)}=x&__proto__[polluted]=1&password[constructor]=1`;
    expect((await post('/login', deep, form)).status).toBe(422);
    expect((await post('/login', `username=${'x'.repeat(64 * KB)}`, form)).status).toBe(413);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await post('/login', 'username=%D7%E0%E9&password=x', form)).json.code).toBe(
      'malformed_json',
    );
    expect((await post('/login', 'username=100%&password=x', form)).json.code).toBe(
      'wrong_credentials',
    );
    const other = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await post('/login', '--x--', other)).json.message).toBe(
      'The request body must be application/json or application/x-www-form-urlencoded in UTF-8.',
    );
  });

  test('a leading byte order mark is ignored', async () => {
    expect((await post('/contactLists', '\ufeff{"title":"Tea","type":"regular"}')).status).toBe(
      201,
    );
  });

  test.each<[start: string, rest: string, status: number, code: string]>([
    ['{"title":', '', 400, 'malformed_json'],
    ['"title"', '', 400, 'malformed_json'],
    ['null', '', 400, 'malformed_json'],
    [' ', '\n', 400, 'malformed_json'],
    ['[]', '', 422, 'validation'],
    ['', '', 422, 'validation'],
    ['{"title":', `${nested(19)}}`, 422, 'validation'],
    ['{"title": ', `${nested(20)}}`, 400, 'malformed_json'],
    ['{"title": [', `${nested(20_000)}]}`, 400, 'malformed_json'],
    ['[[', `${nested(32_000)}]]`, 400, 'malformed_json'],
    ['[[[', '['.repeat(60_000), 400, 'malformed_json'],
    ['{"a":', `${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`, 400, 'malformed_json'],
  ])('%j and what follows it', async (start, rest, status, code) => {
    const answer = await post('/contactLists', start + rest);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('brackets and commas in a string do not count as nesting', async () => {
    const title = '[{"\\",'.repeat(7);
    expect((await post('/contactLists', { title, type: 'regular' })).json).toMatchObject({ title });
    const payload = { sender: 'TEA', text: '[\\":,'.repeat(150) };
    const one = { type: 'telegram', recipient: PHONE, payload };
    expect((await post('/sendings', one)).json.status).toBe('pending');
  });

  test('refuses __proto__ as a field and pollutes no prototype', async () => {
    for (const body of [
      '{"__proto__":{"isAdmin":true}}',
      '{"data":{"__proto__":{"email":"x"}}}',
      '{"data":{"\\u005f_proto__":1}}',
    ])
      expect(await put(body)).toMatchObject({ status: 422, json: { code: 'validation' } });
    await put('{"constructor":{"prototype":{"polluted":true}},"data":{"prototype":{}}}');
    await raw(
      world,
      owner,
      'GET',
      '/users?__proto__[polluted]=1&constructor[prototype][polluted]=1',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(await owner.api(users.get, { params: { id: owner.id } })).not.toHaveProperty('isAdmin');
  });
});

describe('size of validation errors', () => {
  const message = { type: 'telegram', payload: { sender: 'TEA', text: 'Tea', colour: 'red' } };
  const colours = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`colour${i}`, 'red']));

  test('lists 50 problems and the number of those omitted', async () => {
    const sixty = await post('/sendings', { ...message, recipient: PHONE, ...colours(59) });
    expect(sixty).toMatchObject({ status: 422, json: { payload: { omitted: 10 } } });
    expect(fieldsOf(sixty)).toHaveLength(50);
    expect(sixty.json.errors).toHaveLength(50);
    expect(sixty.json.message).toMatch(/^Unknown fields: .*, and 10 more\.$/);
    const fifty = await post('/sendings', { ...message, recipient: PHONE, ...colours(49) });
    expect(fifty.json).not.toHaveProperty('payload');
    expect(fieldsOf(fifty)).toHaveLength(50);
  });

  test.each([
    ['19,000 unknown fields', { ...colours(19_000), recipient: PHONE }],
    ['100,000 invalid recipients', { recipient: Array(100_000).fill(0) }],
    ['a field name of a million characters', { recipient: PHONE, ['x'.repeat(1_000_000)]: 1 }],
    ['a query with 200 names', undefined],
  ])('%s get a short answer', async (_, body) => {
    const path = body ? '/sendings' : `/sendings?${new URLSearchParams(colours(200)).toString()}`;
    const answer = await raw(
      world,
      owner,
      body ? 'POST' : 'GET',
      path,
      body && { ...message, ...body },
    );
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.json).length).toBeLessThan(40_000);
  });

  test('refuses a body with too many values before validation', async () => {
    for (const body of [{ recipient: Array(120_000).fill(0) }, colours(21_000)])
      expect(await post('/sendings', { ...message, ...body })).toMatchObject({
        status: 413,
        json: { code: 'too_large', payload: { maxValues: 110_000, maxFields: 20_000 } },
      });
  });
});
