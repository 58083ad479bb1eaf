import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { Target } from './target.ts';

let target: Target;
let person: Person;
let other: Person;
let secret: string;
beforeAll(async () => {
  target = await Target.start();
  person = await target.person();
  other = await target.person();
  const [row] = await target.world.db.query<{ value: string }>(
    `select value from secrets where name = 'session'`,
  );
  secret = row!.value;
});
afterAll(() => target.stop());

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
const hmac = (hash: string, text: string, key = secret) =>
  createHmac(hash, key).update(text).digest('base64url');
function forged(header: object, claims: object, sign: (text: string) => string): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign(text)}`;
}
const typ = 'JWT';

const FORGERIES: [name: string, make: () => string][] = [
  ['no algorithm', () => forged({ alg: 'none', typ }, claimsOf(person.token), () => '')],
  [
    'no algorithm, other spelling',
    () => forged({ alg: 'NoNe', typ }, claimsOf(person.token), () => ''),
  ],
  [
    'no algorithm and a signature',
    () => forged({ alg: 'none', typ }, claimsOf(person.token), (text) => hmac('sha256', text)),
  ],
  [
    'HS512 with the right key',
    () => forged({ alg: 'HS512', typ }, claimsOf(person.token), (text) => hmac('sha512', text)),
  ],
  [
    'HS384 with the right key',
    () => forged({ alg: 'HS384', typ }, claimsOf(person.token), (text) => hmac('sha384', text)),
  ],
  [
    'HS256 with another key',
    () =>
      forged({ alg: 'HS256', typ }, claimsOf(person.token), (text) =>
        hmac('sha256', text, 'guess'),
      ),
  ],
  [
    'HS256 with an empty key',
    () => forged({ alg: 'HS256', typ }, claimsOf(person.token), (text) => hmac('sha256', text, '')),
  ],
  [
    'RS256 with a key of its own',
    () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = publicKey.export({ format: 'jwk' });
      return forged({ alg: 'RS256', typ, jwk }, claimsOf(person.token), (text) =>
        createSign('sha256').update(text).sign(privateKey, 'base64url'),
      );
    },
  ],
  [
    'a key named by a path',
    () =>
      forged({ alg: 'HS256', typ, kid: '../../../../dev/null' }, claimsOf(person.token), (text) =>
        hmac('sha256', text, ''),
      ),
  ],
  [
    'a key named by SQL',
    () =>
      forged({ alg: 'HS256', typ, kid: "' union select 'x" }, claimsOf(person.token), (text) =>
        hmac('sha256', text, 'x'),
      ),
  ],
  [
    'a key at an address',
    () =>
      forged({ alg: 'HS256', typ, jku: 'http://127.0.0.1:9/' }, claimsOf(person.token), (text) =>
        hmac('sha256', text, 'x'),
      ),
  ],
  [
    'another person',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), sub: other.id }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'a session that never was',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), sid: randomUUID() }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'a session that is no id',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), sid: "' or 1=1" }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'a session that is an array',
    () =>
      forged(
        { alg: 'HS256', typ },
        { ...claimsOf(person.token), sid: [claimsOf(person.token).sid] },
        (text) => hmac('sha256', text),
      ),
  ],
  [
    'a session that is an object',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), sid: { toString: 1 } }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'no session',
    () => forged({ alg: 'HS256', typ }, { sub: person.id }, (text) => hmac('sha256', text)),
  ],
  [
    'the past',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), exp: 1 }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'the future',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), nbf: 9_999_999_999 }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'another type of end',
    () =>
      forged({ alg: 'HS256', typ }, { ...claimsOf(person.token), exp: 'never' }, (text) =>
        hmac('sha256', text),
      ),
  ],
  [
    'a payload that is no object',
    () => forged({ alg: 'HS256', typ }, [] as never, (text) => hmac('sha256', text)),
  ],
  ['a cut signature', () => person.token.slice(0, -4)],
  [
    'one letter changed',
    () =>
      person.token
        .replace(/.$/, (c) => (c === 'A' ? 'B' : 'A'))
        .replace(/\.(.)/, (_, c: string) => `.${c === 'e' ? 'f' : 'e'}`),
  ],
  ['two tokens', () => `${person.token} ${person.token}`],
  ['a million dots', () => '.'.repeat(8000)],
  ['nothing', () => 'Bearer '],
  ['words', () => 'Basic YWRtaW46YWRtaW4='],
];
test.each(FORGERIES)('%s opens nothing', async (_, make) => {
  const token = make();
  await target.attack(async () => {
    for (const path of ['/api/users/me', '/api/sendings', '/api/billings']) {
      const { status } = await target.shoot(path, { token });
      expect(status).toBe(401);
    }
  });
});

test('a token in the address opens downloads and the socket only', async () => {
  await target.attack(async () => {
    for (const path of [
      '/api/users/me',
      '/api/sendings',
      '/api/billings',
      '/api/logout',
      `/api/login/as/${other.id}`,
    ]) {
      const { status } = await target.shoot(`${path}?token=${person.token}`, {
        method: path.endsWith('logout') ? 'POST' : 'GET',
      });
      expect(status, path).toBe(401);
    }
  });
});

test('a token ends with its session', async () => {
  const who = await target.person();
  await target.attack(async () => {
    await target.shoot('/api/logout', { token: who.token, body: {} });
  });
  const { status } = await target.shoot('/api/users/me', { token: who.token });
  expect(status).toBe(401);
});

describe('guessing passwords', () => {
  const guess = (username: string, n: number, headers = {}) =>
    target.shoot('/api/login', { body: { username, password: `guess-${n}` }, headers });

  test('ends for a name', async () => {
    const who = await target.person();
    await target.attack(async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 8; n++) statuses.push((await guess(who.username, n)).status);
      expect(statuses.at(-1)).toBe(429);
      const right = await target.shoot('/api/login', {
        body: { username: who.username, password: 'heliograph' },
      });
      expect(right.status).toBe(429);
    });
  });

  test('is limited across spellings of the name', async () => {
    const who = await target.person();
    const spellings = [
      who.username.toUpperCase(),
      ` ${who.username}`,
      `${who.username} `,
      who.username.replace('u', 'U'),
      `${who.username}\u200b`,
    ];
    await target.attack(async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 12; n++)
        statuses.push((await guess(spellings[n % spellings.length]!, n)).status);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    });
  });

  test('is limited whatever addresses the headers contain', async () => {
    const who = await target.person();
    await target.attack(async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 12; n++)
        statuses.push(
          (
            await guess(who.username, n, {
              'x-forwarded-for': `10.0.0.${n}`,
              'x-real-ip': `10.1.0.${n}`,
              forwarded: `for=10.2.0.${n}`,
            })
          ).status,
        );
      expect(statuses.at(-1)).toBe(429);
    });
  });

  test('gives the same answer for known and unknown names', async () => {
    const who = await target.person();
    const [there, absent] = [
      await guess(who.username, 1),
      await guess(`${who.username}-absent`, 1),
    ];
    const plain = ({ json: { requestId: _, ...rest } }: { json: { requestId: string } }) => rest;
    expect(there.status).toBe(absent.status);
    expect([401, 429]).toContain(there.status);
    const isLimited = there.status === 429;
    expect(isLimited ? {} : plain(there)).toEqual(isLimited ? {} : plain(absent));
  });
});
