import {
  ADMINISTRATOR_GRANTS,
  contract,
  isListQuery,
  purchasePrices,
  sendings,
  type Endpoint,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../until.ts';
import type { Person } from '../world.ts';
import { Target, type Shot } from './target.ts';

/** What carriers take, here in kwacha, is for administrators alone: no way shows it to others, and none tells it by an order or a filter. */
const PRICE = 0.013577;
let target: Target;
let administrator: Person;
/** A customer with a message, and who looks after it. */
interface Others {
  manager: Person;
  reseller: Person;
  customer: Person;
  message: string;
}
/** Each makes a part of the calls, so that none exceeds its rate. */
const people: Others[] = [];
let customer: Person;
let message: string;
let list: string;

beforeAll(async () => {
  target = await Target.start();
  administrator = await target.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const { id } = await administrator.api(purchasePrices.create, {
    params: { channel: 'simulator' },
    body: {
      currency: 'ZMW',
      validFrom: '2020-01-01T00:00:00.000Z',
      prices: [{ type: 'viber', destination: '*', price: PRICE }],
    },
  });
  list = id;
  people.push(await othersOf(), await othersOf());
  ({ customer, message } = people[0]!);
});
afterAll(() => target.stop());

async function othersOf(): Promise<Others> {
  const manager = await target.person({ level: 'manager' });
  const reseller = await target.person({ level: 'reseller', managerId: manager.id });
  const customer = await target.person({
    resellerId: reseller.id,
    managerId: manager.id,
    balance: 1000,
  });
  const body = {
    type: 'viber' as const,
    recipient: '+79161234567',
    payload: { sender: 'TEA', text: 'Tea' },
  };
  const { id } = (await customer.api(sendings.create, { body })) as SendingReceipt;
  await until(async () => {
    const [row] = await target.world.db.query<{ price: string }>(
      `select c.price::text from message_costs c join sendings s on s.batch_id = c.batch_id where s.id = $1 and c.price is not null`,
      [id],
    );
    return row;
  }, 'the cost');
  return { manager, reseller, customer, message: id! };
}

const others = (part = 0): [string, Person][] => {
  const { manager, reseller, customer } = people[part % people.length]!;
  return [
    ['manager', manager],
    ['reseller', reseller],
    ['customer', customer],
  ];
};
const call = (who: Person, path: string, shot: Shot = {}) =>
  target.shoot(path, { token: who.token, ...shot });

const CLOSED: [method: string, path: () => string, body?: object][] = [
  ['GET', () => '/api/margins?from=2026-01-01&to=2026-01-31'],
  ['GET', () => `/api/margins?from=2026-01-01&to=2026-01-31&OwnerId=${customer.id}`],
  ['GET', () => '/api/channels/simulator/prices'],
  ['GET', () => `/api/channels/simulator/prices/${list}`],
  ['DELETE', () => `/api/channels/simulator/prices/${list}`],
  [
    'POST',
    () => '/api/channels/simulator/prices',
    { currency: 'EUR', prices: [{ type: 'sms', destination: '*', price: 0 }] },
  ],
  [
    'POST',
    () => '/api/channels/simulator/prices/preview',
    { from: { key: '01930000-0000-7000-8000-000000000101' }, currency: 'EUR' },
  ],
];
test.each(CLOSED)('nobody else may %s %s', async (method, path, body) => {
  await target.attack(async () => {
    for (const [, who] of others()) {
      const { status, text } = await call(who, path(), { method, body });
      expect(status).toBe(403);
      expect(text).not.toMatch(/0\.013577|ZMW/);
    }
  });
});

const READS = Object.values(contract).flatMap((endpoints) =>
  Object.values(endpoints as Record<string, Endpoint>).flatMap(({ method, path, query, can }) =>
    method === 'GET' && can !== 'public' && can !== 'carrier'
      ? [{ path, isList: !!query && isListQuery(query) }]
      : [],
  ),
);
const LISTS = READS.filter(({ path, isList }) => isList && !path.includes(':')).map(
  ({ path }, part) => ({ path, part }),
);
const KEYS = ['cost', 'margin', 'purchasePrice', 'costCurrency', 'price', 'message_costs.price'];

test.each(LISTS)(
  '$path is neither ordered nor filtered by what a message cost',
  async ({ path, part }) => {
    await target.attack(async () => {
      for (const [, who] of others(part)) {
        const plain = await call(who, `/api${path}`);
        expect(plain.text).not.toMatch(/0\.013577|ZMW|"(cost|margin|costCurrency|purchasePrice)"/);
        for (const key of KEYS) {
          for (const query of [
            `$order[${key}]=asc`,
            `$order=${key}`,
            `${key}[$gt]=0`,
            `${key}=0.013577`,
            `$scope=${key}`,
            `$select=${key}`,
          ]) {
            const { status, text } = await call(who, `/api${path}?${query}`);
            expect([200, 403, 404, 422]).toContain(status);
            expect(text.replaceAll(/0\.013577(?=[^"]*" is)/g, '')).not.toMatch(
              /ZMW|"(cost|margin|costCurrency|purchasePrice)":/,
            );
          }
        }
      }
    });
  },
);

test.each(READS.filter(({ path }) => path.includes('/sendings') || path.includes('/billings')))(
  '$path of the message says nothing of its cost',
  async ({ path }) => {
    await target.attack(async () => {
      for (const [, who] of others()) {
        const { text } = await call(who, `/api${path.replace(/:[a-zA-Z]+/g, message)}`);
        expect(text).not.toMatch(/0\.013577|ZMW|"(cost|margin|costCurrency|purchasePrice)"/);
      }
    });
  },
);

test('a report has no such column, and no such filter', async () => {
  await target.attack(async () => {
    for (const [, who] of others()) {
      const ask = (body: object) => call(who, '/api/reports', { method: 'POST', body });
      expect((await ask({ preset: 'sendings.byDay' })).status).toBe(201);
      for (const key of KEYS)
        for (const body of [
          { preset: 'sendings.byDay', where: { [key]: PRICE } },
          { preset: 'sendings.byDay', [key]: PRICE },
          { preset: 'sendings.byDay', columns: [key] },
          { preset: `sendings.${key}` },
        ])
          expect((await ask(body)).status).toBe(422);
    }
  });
});

test('the audit log of an account has no prices of carriers', async () => {
  for (const [, who] of others()) {
    const { text } = await call(who, '/api/audit?$limit=500');
    expect(text).not.toMatch(/purchasePrices\.create|ZMW/);
  }
});
