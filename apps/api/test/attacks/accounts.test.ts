import { contract, isListQuery, type Endpoint } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHONE } from '../scene.ts';
import type { Person } from '../world.ts';
import { Target, type Reply, type Shot } from './target.ts';

let target: Target;
let manager: Person;
let otherManager: Person;
let reseller: Person;
let customer: Person;
let neighbour: Person;
beforeAll(async () => {
  target = await Target.start();
  manager = await target.person({ level: 'manager' });
  otherManager = await target.person({ level: 'manager' });
  reseller = await target.person({ level: 'reseller', managerId: manager.id });
  customer = await target.person({ resellerId: reseller.id, managerId: manager.id });
  neighbour = await target.person({ resellerId: reseller.id });
});
afterAll(() => target.stop());

const call = (who: Person | null, path: string, shot: Shot = {}) =>
  target.shoot(path, { token: who?.token, ...shot });
async function rowOf({ id }: Person): Promise<unknown> {
  const [row] = await target.world.db.query(
    `select to_jsonb(u) - 'updated_at' as row from users u where id = $1`,
    [id],
  );
  return row;
}

const FIELDS: [field: string, value: unknown][] = [
  ['level', 'manager'],
  ['role', 'owner'],
  ['grants', { add: ['users.all'] }],
  ['permissions', { 'users.all': 'manager' }],
  ['OwnerId', '01930000-0000-7000-8000-000000000101'],
  ['ResellerId', null],
  ['ManagerId', null],
  ['isTest', false],
  ['isActive', true],
  ['$verified', true],
  ['isVerified', true],
  ['balance', 1_000_000],
  ['overdraft', 1_000_000],
  ['currency', 'EUR'],
  ['settings', { billings: { currency: 'EUR' } }],
  ['password', 'other-password'],
  ['passwordHash', '$argon2id$x'],
  ['password_hash', '$argon2id$x'],
  ['id', '01930000-0000-7000-8000-000000000101'],
  ['createdAt', '2020-01-01T00:00:00Z'],
  ['emailConfirmedAt', '2020-01-01T00:00:00Z'],
  ['phoneConfirmedAt', '2020-01-01T00:00:00Z'],
  ['Tariffs', []],
];
test.each(FIELDS)('an account cannot set its %s', async (field, value) => {
  const before = await Promise.all([customer, reseller, manager].map(rowOf));
  await target.attack(async () => {
    for (const who of [customer, reseller, manager]) {
      for (const body of [
        { [field]: value },
        { data: { [field]: value } },
        { data: { partnership: { [field]: value } } },
      ]) {
        for (const path of [`/api/users/${who.id}`, `/api/users/${customer.id}`]) {
          const { status } = await call(who, path, { method: 'PUT', body });
          expect(status).toBeLessThan(500);
        }
      }
    }
  });
  expect(await Promise.all([customer, reseller, manager].map(rowOf))).toEqual(before);
});

const ABOVE: [method: string, path: () => string, body?: object][] = [
  ['GET', () => `/api/users/${reseller.id}`],
  ['PUT', () => `/api/users/${reseller.id}`, { data: { firstName: 'Eve' } }],
  ['POST', () => `/api/login/as/${reseller.id}`],
  ['GET', () => `/api/login/as/${reseller.id}`],
  ['POST', () => '/api/billings', { source: 'accrual', amount: 1, OwnerId: 'self' }],
  ['GET', () => '/api/channels'],
  [
    'POST',
    () => '/api/channels',
    { name: 'evil', driver: 'http', types: ['sms'], options: { url: 'http://127.0.0.1:9/' } },
  ],
  ['PUT', () => '/api/channels/simulator', { isActive: false }],
  ['GET', () => `/api/billings/balance/${reseller.id}`],
];
test.each(ABOVE)('a customer may not %s for its superiors', async (method, path, body) => {
  await target.attack(async () => {
    const { status } = await call(customer, path(), {
      method,
      body: body && JSON.parse(JSON.stringify(body).replace('self', customer.id)),
    });
    expect([403, 404]).toContain(status);
  });
});

const LISTS = Object.values(contract).flatMap((endpoints) =>
  Object.values(endpoints as Record<string, Endpoint>).flatMap(({ method, query, path }) =>
    method === 'GET' && query && isListQuery(query) && !path.includes(':') ? [path] : [],
  ),
);
test.each(LISTS)('%s of another account are not found by filters', async (list) => {
  await target.attack(async () => {
    for (const who of [customer, neighbour, otherManager]) {
      for (const whose of [reseller, manager, who === neighbour ? customer : neighbour]) {
        for (const query of [
          `OwnerId=${whose.id}`,
          `OwnerId[]=${whose.id}`,
          `OwnerId[$ne]=${who.id}`,
          `OwnerId=${who.id}&OwnerId=${whose.id}`,
          `ownerid=${whose.id}`,
          `filter[OwnerId]=${whose.id}`,
        ]) {
          const { status, json } = await call(who, `/api${list}?${query}`);
          expect([200, 403, 404, 422]).toContain(status);
          const rows = (status === 200 ? json.data : []) as { OwnerId?: string }[];
          for (const row of rows) expect(row.OwnerId ?? who.id).not.toBe(whose.id);
        }
      }
    }
  });
});

describe('an impersonated session', () => {
  const borrow = async (who: Person, whom: Person) => {
    const { status, json } = await call(who, `/api/login/as/${whom.id}`, { method: 'POST' });
    expect(status).toBe(200);
    return json.token as string;
  };

  test('ends with the session of the impersonator', async () => {
    const who = await target.person({ level: 'reseller' });
    const whom = await target.person({ resellerId: who.id });
    const token = await borrow(who, whom);
    expect((await target.shoot('/api/users/me', { token })).json.id).toBe(whom.id);
    await call(who, '/api/logout', { body: {} });
    expect((await target.shoot('/api/users/me', { token })).status).toBe(401);
  });

  test('does not end the customer’s own sessions', async () => {
    const token = await borrow(reseller, customer);
    await target.shoot('/api/logout', { token, body: { everywhere: true } });
    expect((await call(customer, '/api/users/me')).status).toBe(200);
  });

  test('ends when the customer leaves the access scope', async () => {
    const whom = await target.person({ resellerId: reseller.id });
    const token = await borrow(reseller, whom);
    await target.world.db.query(`update users set reseller_id = null where id = $1`, [whom.id]);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // a session is looked up once a second at most
    expect((await target.shoot('/api/users/me', { token })).status).toBe(401);
  });

  const TAKEOVERS: [name: string, body: object][] = [
    ['e-mail', { data: { email: 'eve@evil.example' }, password: 'heliograph' }],
    ['phone', { data: { phone: '+79009999999' }, password: 'heliograph' }],
    ['name', { username: 'eve@evil.example', password: 'heliograph' }],
  ];
  test.each(TAKEOVERS)('does not change the %s', async (_, body) => {
    const whom = await target.person({ resellerId: reseller.id });
    const token = await borrow(reseller, whom);
    const before = await rowOf(whom);
    const { status } = await target.shoot(`/api/users/${whom.id}`, { method: 'PUT', token, body });
    expect([403, 422]).toContain(status);
    expect(await rowOf(whom)).toEqual(before);
  });

  test('opens no other session', async () => {
    const token = await borrow(reseller, customer);
    const { status } = await target.shoot(`/api/login/as/${neighbour.id}`, {
      method: 'POST',
      token,
    });
    expect([403, 404]).toContain(status);
  });

  test.each(['manager', 'reseller'])('of the same level is refused: %s', async (level) => {
    const [one, two] =
      level === 'manager'
        ? [manager, otherManager]
        : [reseller, await target.person({ level: 'reseller' })];
    const { status } = await call(one, `/api/login/as/${two.id}`, { method: 'POST' });
    expect([403, 404]).toContain(status);
  });
});

describe('who owns an account', () => {
  const PROOFS: [name: string, extra: object][] = [
    ['without a password', {}],
    ['with a wrong password', { password: 'not mine' }],
    ['with an empty password', { password: '' }],
    ['with null', { password: null }],
  ];
  test.each(PROOFS)('is not changed %s', async (_, extra) => {
    const before = await Promise.all([customer, reseller].map(rowOf));
    await target.attack(async () => {
      for (const [who, whom] of [
        [customer, customer],
        [reseller, customer],
        [manager, reseller],
      ] as const) {
        const { status } = await call(who, `/api/users/${whom.id}`, {
          method: 'PUT',
          body: { data: { email: 'eve@evil.example' }, ...extra },
        });
        expect([401, 403, 422, 429]).toContain(status);
      }
    });
    expect(await Promise.all([customer, reseller].map(rowOf))).toEqual(before);
  });

  const ADDRESSES: [name: string, email: string][] = [
    ['two lines', 'eve@evil.example\r\nBcc: all@tea.example'],
    ['two addresses', 'eve@evil.example,all@tea.example'],
    ['a group', 'all:eve@evil.example;'],
    ['angle brackets', '<eve@evil.example>'],
    ['a comment', 'eve(mine)@evil.example'],
    ['quotes', '"eve"@evil.example'],
    ['an address of this machine', 'eve@[127.0.0.1]'],
    ['a tag that is not seen', 'eve@evil.example\u{e0065}'],
    ['a NUL', 'eve\u0000@evil.example'],
    ['300 letters', `${'e'.repeat(300)}@evil.example`],
  ];
  test.each(ADDRESSES)('is written to no address with %s', async (_, email) => {
    await target.attack(async () => {
      const { status } = await call(customer, `/api/users/${customer.id}`, {
        method: 'PUT',
        body: { data: { email }, password: 'heliograph' },
      });
      expect(status).toBe(422);
    });
  });

  test('is not changed by an address that was not confirmed', async () => {
    const who = await target.person();
    await target.world.db.query(
      `update users set data = data || '{"email": "mine@tea.example"}' where id = $1`,
      [who.id],
    );
    const { status } = await call(who, `/api/users/${who.id}`, {
      method: 'PUT',
      body: { data: { email: 'eve@evil.example' }, password: 'heliograph' },
    });
    expect(status).toBeLessThan(500);
    const { json } = await call(who, '/api/users/me');
    expect(json.data.email).toBe('mine@tea.example');
  });
});

describe('an account without a confirmed phone', () => {
  let fresh: Person;
  const phone = '+79005557788';
  beforeAll(async () => {
    const username = 'fresh@tea.example';
    const { status } = await target.shoot('/api/registration', {
      body: { username, password: 'Samovar-19', data: { phone, firstName: 'Anna' } },
    });
    if (status !== 201) throw new Error(`registration answered ${status}`);
    const { json } = await target.shoot('/api/login', {
      body: { username, password: 'Samovar-19' },
    });
    fresh = {
      id: json.id,
      username,
      OwnerId: json.id,
      token: json.token,
      api: target.world.client(json.token),
    };
  });
  /** A refusal is a failed receipt or an error. */
  const isSent = ({ status, json }: Reply) => status < 400 && json.status !== 'failed';
  const send = (type: string, sender: string, recipient: unknown) =>
    call(fresh, '/api/sendings', { body: { type, payload: { sender, text: 'Tea' }, recipient } });

  const STRANGERS: [type: string, sender: string][] = [
    ['sms', 'DEMO'],
    ['sms', 'SBERBANK'],
    ['viber', 'SBERBANK'],
    ['viber', 'DEMO'],
    ['whatsapp', 'SBERBANK'],
    ['voice', '79001112233'],
    ['flashcall', 'DEMO'],
    ['telegram', 'SBERBANK'],
    ['vk', 'SBERBANK'],
    ['push', 'SBERBANK'],
    ['email', 'support@bank.example'],
    ['hlr', 'DEMO'],
  ];
  test.each(STRANGERS)('cannot send %s to other phones from %s', async (type, sender) => {
    const recipient = type === 'email' ? 'victim@tea.example' : PHONE;
    await target.attack(async () => {
      for (const to of [recipient, [recipient], { include: [recipient] }]) {
        expect(isSent(await send(type, sender, to))).toBe(false);
      }
    });
    const [row] = await target.world.db.query<{ n: number }>(
      `select count(*)::int as n from sendings where owner_id = $1 and outcome is distinct from 2 and phone = $2`,
      [fresh.id, recipient],
    );
    expect(row!.n).toBe(0);
  });

  test('may send to its own phone three times a day, in any notation', async () => {
    const ways = [phone, '89005557788', '7 (900) 555-77-88', `\u200b${phone}`, phone, phone, phone];
    let sent = 0;
    for (const to of ways) if (isSent(await send('sms', 'DEMO', to))) sent++;
    expect(sent).toBe(3);
  });

  const PASSWORDS = ['123456', 'password', 'qwerty', '111111', 'qwerty123', 'iloveyou', '12345678'];
  test.each(PASSWORDS)('is not opened with the password %s', async (password) => {
    const { status } = await target.shoot('/api/registration', {
      body: {
        username: `weak-${password}@tea.example`,
        password,
        data: { phone: '+79005550000', firstName: 'Anna' },
      },
    });
    expect([403, 422, 428, 429]).toContain(status);
  });

  test('requires a captcha after several registrations', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) {
      const { status } = await target.shoot('/api/registration', {
        body: {
          username: `many-${i}@tea.example`,
          password: 'Samovar-19',
          data: { phone, firstName: 'Anna' },
        },
      });
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(5);
  });
});
