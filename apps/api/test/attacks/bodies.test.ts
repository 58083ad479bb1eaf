import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { Target, type Shot } from './target.ts';

let target: Target;
let person: Person;
beforeAll(async () => {
  target = await Target.start();
  person = await target.person();
});
afterAll(() => target.stop());

const MB = 1024 * 1024;
const json = { 'content-type': 'application/json' };
const nested = (depth: number, [open, close]: [string, string]) =>
  open.repeat(depth) + close.repeat(depth);
const manyKeys = (n: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, i])));
const login = JSON.stringify({ username: 'unknown', password: 'wrong' });

interface Case {
  name: string;
  path?: string;
  shot: () => Shot;
  status: number | number[];
}
const PATHS = [
  '/api/login',
  '/api/registration',
  '/api/recovery',
  '/api/nowhere',
  '/api/sendings',
  '/api/channels/simulator/statuses',
];

/** Before anybody has signed in. */
const anonymous: Case[] = PATHS.flatMap((path) => [
  {
    name: '8 MB of JSON',
    path,
    shot: () => ({ headers: json, bytes: `{"a":"${'x'.repeat(8 * MB)}"}` }),
    status: [401, 404, 413],
  },
  {
    name: '200 kB of JSON',
    path,
    shot: () => ({ headers: json, bytes: `{"a":"${'x'.repeat(200 * 1024)}"}` }),
    status: [401, 404, 413],
  },
  {
    name: 'gzip that becomes 8 MB',
    path,
    shot: () => ({
      headers: { ...json, 'content-encoding': 'gzip' },
      bytes: gzipSync(Buffer.alloc(8 * MB, '[')),
    }),
    status: [401, 404, 413, 415],
  },
  {
    name: 'an unknown encoding',
    path,
    shot: () => ({ headers: { ...json, 'content-encoding': 'x' }, bytes: login }),
    status: [401, 404, 415],
  },
  {
    name: '20,000 brackets',
    path,
    shot: () => ({ headers: json, bytes: nested(20_000, ['[', ']']) }),
    status: [400, 401, 404, 413, 422],
  },
  {
    name: '5,000 objects in objects',
    path,
    shot: () => ({ headers: json, bytes: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` }),
    status: [400, 401, 404, 422],
  },
  {
    name: '5,000 keys',
    path,
    shot: () => ({
      headers: json,
      bytes: manyKeys(5000)
        .slice(0, 60_000)
        .replace(/,[^,]*$/, '}'),
    }),
    status: [400, 401, 404, 413, 422],
  },
  {
    name: 'JSON as text',
    path,
    shot: () => ({ headers: { 'content-type': 'text/plain' }, bytes: login }),
    status: [401, 404, 415],
  },
  {
    name: 'XML',
    path,
    shot: () => ({
      headers: { 'content-type': 'application/xml' },
      bytes: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    }),
    status: [401, 404, 415],
  },
  {
    name: 'half a JSON',
    path,
    shot: () => ({ headers: json, bytes: '{"username":' }),
    status: [400, 401, 404],
  },
  {
    name: 'bytes that are no text',
    path,
    shot: () => ({ headers: json, bytes: new Uint8Array([0xff, 0xfe, 0x00, 0xd8]) }),
    status: [400, 401, 404],
  },
  {
    name: 'a form with 10,000 fields',
    path,
    shot: () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      bytes: 'a[b]=1&'.repeat(10_000),
    }),
    status: [400, 401, 404, 413, 415, 422],
  },
  {
    name: 'a multipart that has no end',
    path,
    shot: () => ({
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      bytes: '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
    }),
    status: [400, 401, 404, 415],
  },
]);

test.each(anonymous)('$path without a session: $name', async ({ path, shot, status }) => {
  await target.attack(async () => {
    const { status: answered } = await target.shoot(path!, { method: 'POST', ...shot() });
    // Above the limit of the network the answer is 429.
    expect([status, 429].flat()).toContain(answered);
  });
});

const FORBIDDEN_KEYS = [
  '{"__proto__":{"isAdmin":true},"username":"a","password":"b"}',
  '{"constructor":{"prototype":{"isAdmin":true}},"username":"a","password":"b"}',
  '{"username":{"__proto__":null},"password":["x"]}',
];
test.each(FORBIDDEN_KEYS)('keys of the prototype change nothing: %s', async (bytes) => {
  await target.attack(async () => {
    const { status } = await target.shoot('/api/login', { headers: json, bytes });
    expect([400, 401, 422, 429]).toContain(status);
    const me = await target.shoot('/api/users/me', { token: person.token });
    expect(me.json.isAdmin).toBeUndefined();
  });
});

describe('a person who is signed in', () => {
  const own: Case[] = [
    {
      name: '9 MB',
      shot: () => ({ headers: json, bytes: `{"a":"${'x'.repeat(9 * MB)}"}` }),
      status: 413,
    },
    {
      name: '200,000 unknown keys',
      path: '/api/sendings',
      shot: () => ({ headers: json, bytes: manyKeys(200_000) }),
      status: [413, 422],
    },
    {
      name: '200,000 unknown keys',
      path: '/api/templates',
      shot: () => ({ headers: json, bytes: manyKeys(200_000) }),
      status: [413, 422],
    },
    {
      name: '1,000 unknown keys',
      path: '/api/templates',
      shot: () => ({ headers: json, bytes: manyKeys(1000) }),
      status: 422,
    },
    {
      name: 'a million numbers',
      shot: () => ({ headers: json, bytes: `[${'1,'.repeat(1_000_000)}1]` }),
      status: [400, 413, 422],
    },
    {
      name: '20,000 brackets',
      shot: () => ({ headers: json, bytes: nested(20_000, ['[', ']']) }),
      status: [400, 422],
    },
    {
      name: 'a number of a million digits',
      shot: () => ({ headers: json, bytes: `{"a":${'1'.repeat(60_000)}}` }),
      status: [400, 422],
    },
    {
      name: 'JSON as text',
      shot: () => ({ headers: { 'content-type': 'text/plain' }, bytes: '{}' }),
      status: 415,
    },
    {
      name: 'JSON in UTF-16',
      shot: () => ({
        headers: { 'content-type': 'application/json; charset=utf-16' },
        bytes: Buffer.from('{}', 'utf16le'),
      }),
      status: [400, 415, 422],
    },
    {
      name: 'JSON in an unknown charset',
      shot: () => ({
        headers: { 'content-type': 'application/json; charset=x-user' },
        bytes: '{}',
      }),
      status: [400, 415],
    },
    {
      name: 'gzip',
      shot: () => ({ headers: { ...json, 'content-encoding': 'gzip' }, bytes: gzipSync('{}') }),
      status: 415,
    },
    {
      name: 'deflate',
      shot: () => ({ headers: { ...json, 'content-encoding': 'deflate' }, bytes: '{}' }),
      status: 415,
    },
    {
      name: 'no type',
      shot: () => ({ bytes: new Uint8Array([123, 125]) }),
      status: [400, 415, 422],
    },
    { name: 'a bare text', shot: () => ({ headers: json, bytes: '"sms"' }), status: [400, 422] },
    { name: 'a bare null', shot: () => ({ headers: json, bytes: 'null' }), status: [400, 422] },
    { name: 'nothing', shot: () => ({ headers: json, bytes: '' }), status: [400, 422] },
  ];
  test.each(own)('$name', async ({ path = '/api/sendings', shot, status }) => {
    await target.attack(async () => {
      const { status: answered } = await target.shoot(path, {
        method: 'POST',
        token: person.token,
        ...shot(),
      });
      expect([status].flat()).toContain(answered);
    });
  });

  test('a refusal lists at most 50 problems', async () => {
    await target.attack(async () => {
      const reply = await target.shoot('/api/templates', {
        token: person.token,
        headers: json,
        bytes: manyKeys(1000),
      });
      expect(reply.json.data.length).toBeLessThanOrEqual(50);
      expect(reply.text.length).toBeLessThan(20_000);
    });
  });
});
