import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELIVERED, MESSAGE, PHONE } from '../scene.ts';
import { PASSWORD, type Person } from '../world.ts';
import { Target, type Reply, type Shot } from './target.ts';

/** Many concurrent calls that exclude one another: one succeeds, the others are refused. */

const TIMES = 20;
let target: Target;
let manager: Person;
let reseller: Person;
let customer: Person;
beforeAll(async () => {
  target = await Target.start();
  manager = await target.person({ level: 'manager', grants: { add: ['users.all'] } });
  reseller = await target.person({ level: 'reseller', balance: 1000 });
  customer = await target.person({ resellerId: reseller.id, balance: 1000 });
});
afterAll(() => target.stop());

const call = (who: Person, path: string, shot: Shot = {}) =>
  target.shoot(path, { token: who.token, ...shot });
const together = (one: (i: number) => Promise<Reply>, times = TIMES) =>
  Promise.all(Array.from({ length: times }, (_, i) => one(i)));
const how = (replies: Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const refusedWith = (replies: Reply[], ...statuses: number[]) => {
  for (const { status, text } of replies)
    if (status >= 300) expect(statuses, text).toContain(status);
};
async function sum(sql: string, ...parameters: unknown[]): Promise<number> {
  const [row] = await target.world.db.query<{ n: string }>(sql, parameters);
  return Number(row!.n);
}
const balanceOf = ({ id }: Person) =>
  sum(`select balance as n from balances where owner_id = $1`, id);

test('a message under one key is sent and charged once', async () => {
  await target.attack(async () => {
    const replies = await together(() =>
      call(customer, '/api/sendings', {
        body: { ...MESSAGE, recipient: DELIVERED },
        headers: { 'idempotency-key': 'one-message' },
      }),
    );
    refusedWith(replies, 409);
    const ids = replies.filter(({ status }) => status === 200).map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(1);
  });
  const count = `select count(*) as n from sendings where owner_id = $1`;
  expect(await sum(count, customer.id)).toBe(1);
  const charges = `select count(*) as n from billings where owner_id = $1 and amount < 0`;
  expect(await sum(charges, customer.id)).toBe(1);
});

test('concurrent transfers to two customers do not exceed the balance', async () => {
  const giver = await target.person({ level: 'reseller', balance: 100 });
  const [one, two] = [
    await target.person({ resellerId: giver.id, balance: 0 }),
    await target.person({ resellerId: giver.id, balance: 0 }),
  ];
  const replies = await together((i) =>
    call(giver, '/api/billings', {
      body: { source: 'accrual', amount: 30, OwnerId: (i % 2 ? one : two).id },
    }),
  );
  refusedWith(replies, 402);
  expect(how(replies, 201)).toBe(3);
  expect(await balanceOf(giver)).toBe(10);
  expect((await balanceOf(one)) + (await balanceOf(two))).toBe(90);
});

test('concurrent transfers there and back keep the sum', async () => {
  const giver = await target.person({ level: 'reseller', balance: 100 });
  const receiver = await target.person({ resellerId: giver.id, balance: 100 });
  const replies = await together((i) =>
    call(giver, '/api/billings', {
      body: { source: i % 2 ? 'accrual' : 'subtract', amount: 7, OwnerId: receiver.id },
    }),
  );
  expect(how(replies, 201)).toBeGreaterThan(0);
  expect((await balanceOf(giver)) + (await balanceOf(receiver))).toBe(200);
});

test('a task is stopped and refunded once', async () => {
  const who = await target.person({ balance: 100 });
  const delay = new Date(Date.now() + 3_600_000).toISOString();
  const recipient = ['+79001230001', '+79001230002'];
  await target.attack(async () => {
    const made = await call(who, '/api/sendings', {
      body: { ...MESSAGE, recipient, schedule: { delay } },
    });
    const path = `/api/tasks/${made.json.id}`;
    const changed = await together((i) =>
      call(who, path, { method: 'PUT', body: { state: i % 2 ? 'stopped' : 'paused' } }),
    );
    refusedWith(changed, 409, 422);
    const removed = await together(() => call(who, path, { method: 'DELETE' }));
    refusedWith(removed, 404, 409);
    expect(how(removed, 200)).toBeLessThanOrEqual(1);
  });
  expect(await balanceOf(who)).toBe(100);
});

test('of two concurrent renames to one username one succeeds', async () => {
  const people = [await target.person(), await target.person(), await target.person()];
  const replies = await Promise.all(
    people.map((who) =>
      call(who, `/api/users/${who.id}`, {
        method: 'PUT',
        body: { username: 'the-only-one', password: PASSWORD },
      }),
    ),
  );
  refusedWith(replies, 422);
  expect(how(replies, 200)).toBe(1);
});

test('concurrent registrations and decisions of a sender name take effect once', async () => {
  const made = await together(() =>
    call(customer, '/api/sendernames', {
      body: { name: 'ONCE', type: 'sms', comment: 'Tea, INN 7700000009' },
    }),
  );
  refusedWith(made, 409, 422);
  expect(how(made, 201)).toBe(1);
  const { id } = made.find(({ status }) => status === 201)!.json;
  const decided = await together((i) =>
    call(reseller, `/api/sendernames/${id}/moderation`, {
      body: { moderation: i % 2 ? 'approved' : 'rejected' },
    }),
  );
  refusedWith(decided, 409, 422);
  expect(how(decided, 200)).toBeLessThanOrEqual(1);
});

test('a cap of a token that is removed meanwhile is set or refused', async () => {
  for (let round = 0; round < 3; round++) {
    const token = await call(customer, '/api/tokens', { body: { description: 'removed' } });
    const { id } = token.json;
    const replies = await together((i) =>
      i === TIMES / 2
        ? call(customer, `/api/tokens/${id}`, { method: 'DELETE' })
        : call(customer, '/api/spendCaps', {
            method: 'PUT',
            body: { TokenId: id, day: 5, month: null, timeZone: 'UTC' },
          }),
    );
    expect(replies[TIMES / 2]).toMatchObject({ status: 200 });
    refusedWith(replies, 404, 409);
  }
});

test('a session is renewed once', async () => {
  const { json } = await target.shoot('/api/login', {
    body: { username: customer.username, password: PASSWORD },
  });
  const renewed = await together(() =>
    target.shoot('/api/login/renew', { method: 'POST', token: json.token }),
  );
  refusedWith(renewed, 401);
  const tokens = renewed.filter(({ status }) => status === 200).map((reply) => reply.json.token);
  expect(new Set(tokens).size).toBe(1);
});

test('a list that is removed during imports and sendings leaves no rows', async () => {
  await target.attack(async () => {
    const { json } = await call(customer, '/api/contactLists', {
      body: { title: 'Gone', type: 'regular' },
    });
    const replies = await together((i) => {
      if (i === 10) return call(customer, `/api/contactLists/${json.id}`, { method: 'DELETE' });
      if (i % 5 === 0)
        return call(customer, '/api/sendings', {
          body: { ...MESSAGE, recipient: { include: [json.id] } },
        });
      return call(customer, '/api/contacts', {
        body: { ListId: json.id, phone: `+7900555${1000 + i}` },
      });
    });
    refusedWith(replies, 404, 409, 422);
  });
  const orphans = `select count(*) as n from contacts c where not exists (select 1 from contact_lists l where l.id = c.list_id)`;
  expect(await sum(orphans)).toBe(0);
});

test('a contact that is added twenty times concurrently is stored once', async () => {
  const { json } = await call(customer, '/api/contactLists', {
    body: { title: 'One', type: 'regular' },
  });
  const replies = await together(() =>
    call(customer, '/api/contacts', { body: { ListId: json.id, phone: PHONE } }),
  );
  refusedWith(replies, 409, 422);
  expect(how(replies, 201)).toBe(1);
});

describe('free credit', () => {
  test('is given once per phone, in any notation and with concurrent registrations', async () => {
    const ways = ['+79005559911', '89005559911', '7 900 555-99-11', '+7(900)5559911'];
    const replies = await Promise.all(
      ways.map((phone, i) =>
        target.shoot('/api/registration', {
          body: {
            username: `credit-${i}@tea.example`,
            password: 'Samovar-19',
            data: { phone, firstName: 'Anna' },
          },
        }),
      ),
    );
    refusedWith(replies, 403, 429);
    expect(how(replies, 201)).toBeGreaterThan(1);
    const credits = `select count(*) as n from free_credits f join users u on u.id = f.owner_id where u.username like 'credit-%'`;
    expect(await sum(credits)).toBe(1);
  });
});

test('of two concurrent changes of one account one is kept completely', async () => {
  const replies = await together((i) =>
    call(i % 2 ? manager : reseller, `/api/users/${customer.id}`, {
      method: 'PUT',
      body: { data: { firstName: i % 2 ? 'Anna' : 'Boris', lastName: i % 2 ? 'Anna' : 'Boris' } },
    }),
  );
  refusedWith(replies, 409);
  const { json } = await call(customer, '/api/users/me');
  expect(json.data.firstName).toBe(json.data.lastName);
});
