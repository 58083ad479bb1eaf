import {
  ADMINISTRATOR_GRANTS,
  billings,
  sendings,
  tariffs,
  type ApiError,
  type SendingReceipt,
  type TariffInput,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, problems } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let administrator: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  const grants = { add: ADMINISTRATOR_GRANTS };
  administrator = await world.person({ level: 'manager', grants });
  customer = await world.person({ balance: 100_000 });
  await approve(world, customer.id);
});
afterAll(() => world.stop());

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const type = { tag: 'type' as const, value: 'sms' };
const RULE = { action: 'increase' as const, price: 2, conditions: [type], priority: 0 };
const TARIFF: TariffInput = { title: 'Gold', source: 'standard', isDefault: false, rules: [RULE] };
const create = (input: Partial<TariffInput> = {}) =>
  administrator.api(tariffs.create, { body: { ...TARIFF, ...input } });
const assign = (id: string, given: { id: string; priority: number }[]) =>
  administrator.api(tariffs.assign, { params: { id }, body: { tariffs: given } });
const probe = (text = 'Tea', recipient = '+79161234567', by = customer, OwnerId = customer.id) =>
  by.api(tariffs.probe, {
    body: { OwnerId, type: 'sms', sender: 'MIRTEA', recipient, text },
  });
/** Prices are reloaded after a second at the latest. */
const priceIs = (price: number | null) =>
  expect.poll(async () => (await probe()).price?.[0] ?? null).toBe(price);

test('a tariff is created, assigned, changed and taken away; prices follow', async () => {
  const created = await create();
  expect(created).toMatchObject({ ...TARIFF, accounts: 0, rules: [RULE] });
  const { data } = await assign(customer.id, [{ id: created.id, priority: 5 }]);
  expect(data).toMatchObject([{ id: created.id, priority: 5, finalRules: [RULE] }]);
  await priceIs(2);
  const body = { ...TARIFF, title: 'Silver', rules: [{ ...RULE, price: 1.25 }] };
  const params = { id: created.id };
  const changed = await administrator.api(tariffs.replace, { params, body });
  expect(changed).toMatchObject({ title: 'Silver', accounts: 1, rules: [{ price: 1.25 }] });
  await priceIs(1.25);
  expect(await codeOf(administrator.api(tariffs.remove, { params }))).toBe('in_use');
  await assign(customer.id, []);
  await priceIs(null);
  expect(await administrator.api(tariffs.remove, { params })).toEqual(params);
  const listed = await administrator.api(tariffs.catalogue);
  expect(listed.data.map(({ id }) => id)).not.toContain(created.id);
});

test('every change is audited with the prices before and after', async () => {
  const { id } = await create();
  const body = { ...TARIFF, rules: [{ ...RULE, price: 3 }] };
  await administrator.api(tariffs.replace, { params: { id }, body });
  await administrator.api(tariffs.remove, { params: { id } });
  const log = await world.db.query<{ action: string; by: string; before: object; after: object }>(
    `select action, actor_id as by, before, after from audit_log where target_id = $1 order by id`,
    [id],
  );
  expect(log.map(({ action, by }) => [action, by])).toEqual(
    ['create', 'update', 'remove'].map((verb) => [`tariffs.${verb}`, administrator.id]),
  );
  expect(log[1]).toMatchObject({
    before: { rules: [{ price: 2 }] },
    after: { rules: [{ price: 3 }] },
  });
});

const replace = (id: string, input: Partial<TariffInput>, startsAt?: string) =>
  administrator.api(tariffs.replace, { params: { id }, body: { ...TARIFF, ...input, startsAt } });
const versionsOf = async (id: string) =>
  (await administrator.api(tariffs.versions, { params: { id } })).data;
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

test('a version replaces the rules from its start on; those of before stay as they were', async () => {
  const { id, version } = await create();
  expect(version).toBe(1);
  expect(await replace(id, { rules: [{ ...RULE, price: 3 }] })).toMatchObject({ version: 2 });
  // The same rules are no other version, nor is another title.
  expect(await replace(id, { title: 'Same', rules: [{ ...RULE, price: [3] }] })).toMatchObject({
    title: 'Same',
    version: 2,
  });
  const start = days(2);
  const later = await replace(id, { rules: [{ ...RULE, price: 4 }] }, start);
  expect(later).toMatchObject({ version: 2, rules: [{ price: 3 }] });
  expect(await versionsOf(id)).toMatchObject([
    { number: 3, startsAt: start, isInForce: false, rules: [{ price: 4 }] },
    { number: 2, isInForce: true, rules: [{ price: 3 }] },
    { number: 1, isInForce: false, rules: [{ price: 2 }], Author: { id: administrator.id } },
  ]);
  // Another one for the same time takes its place.
  await replace(id, { rules: [{ ...RULE, price: 5 }] }, start);
  expect((await versionsOf(id)).map(({ number, rules }) => [number, rules[0]!.price])).toEqual([
    [4, 5],
    [2, 3],
    [1, 2],
  ]);
});

test('a version that starts later prices from then on, and the bills of before name the former one', async () => {
  const { id } = await create();
  await replace(id, { rules: [{ ...RULE, price: 7 }] }, days(1));
  const person = await world.person({ balance: 1000 });
  await approve(world, person.id);
  await assign(person.id, [{ id, priority: 1 }]);
  const send = async () => {
    const body = {
      type: 'sms',
      payload: { sender: 'MIRTEA', text: 'Tea' },
      recipient: '+79161234567',
    };
    const { id: sent } = (await person.api(sendings.create, {
      body: body as never,
    })) as SendingReceipt;
    const bill = await person.api(billings.get, { params: { id: sent } });
    return { amount: bill.amount, TariffId: bill.TariffId, tariffVersion: bill.tariffVersion };
  };
  const first = { amount: -2, TariffId: id, tariffVersion: 1 };
  expect(await send()).toEqual(first);
  await world.db.query(
    `update tariff_versions set starts_at = now() where tariff_id = $1 and number = 2`,
    [id],
  );
  await expect
    .poll(async () => (await probe('Tea', undefined, person, person.id)).rules[0]?.version)
    .toBe(2);
  expect(await send()).toEqual({ amount: -7, TariffId: id, tariffVersion: 2 });
  const bills = await person.api(billings.find, { query: { filter: { TariffId: id } } });
  expect(bills.data.map(({ tariffVersion }) => tariffVersion)).toEqual([2, 1]);
  // Whoever removes the tariff removes no version that a bill names.
  await assign(person.id, []);
  await administrator.api(tariffs.remove, { params: { id } });
  const [kept] = await world.db.query<{ price: number[] }>(
    `select price::float8[] as price from tariff_rules where tariff_id = $1 and version = 1`,
    [id],
  );
  expect(kept).toEqual({ price: [2] });
  expect(await codeOf(assign(person.id, [{ id, priority: 1 }]))).toBe('validation');
});

test('only a version that has not started is withdrawn; a type stays, and a start is to come', async () => {
  const { id } = await create();
  const withdraw = (number: number) =>
    codeOf(administrator.api(tariffs.withdraw, { params: { id, number } }));
  await replace(id, { rules: [] }, days(1));
  expect(await withdraw(1)).toBe('conflict');
  expect(await withdraw(2)).toBe('answered');
  expect(await withdraw(2)).toBe('conflict');
  expect((await versionsOf(id)).map(({ number }) => number)).toEqual([1]);
  expect(await codeOf(replace(id, {}, days(-1)))).toBe('validation');
  expect(await codeOf(replace(id, { source: 'sms' }))).toBe('validation');
  expect(await administrator.api(tariffs.catalogueGet, { params: { id } })).toMatchObject(TARIFF);
});

test('rules of one priority go in the order of the list, also when they are saved as they were read', async () => {
  const rules = [5, 6, 7].map((price) => ({ ...RULE, price, conditions: [] }));
  const { id, rules: read } = await create({ rules });
  const prices = (all: { price: number | number[] }[]) => all.map(({ price }) => price);
  expect(prices(read)).toEqual([5, 6, 7]);
  const again = read.map(({ id: _, ...rule }) => rule);
  expect(await replace(id, { rules: again })).toMatchObject({ version: 1 });
  const moved = await replace(id, { rules: [again[1]!, again[2]!, again[0]!] });
  expect([moved.version, prices(moved.rules)]).toEqual([2, [6, 7, 5]]);
});

test('a draft is priced as it would be when it is stored', async () => {
  const rules = [
    { ...RULE, price: 1, conditions: [] },
    { ...RULE, price: 8, conditions: [] },
    { ...RULE, action: 'decrease' as const, price: 0.25, conditions: [] },
  ];
  const message = {
    type: 'sms' as const,
    sender: 'MIRTEA',
    recipient: '+79161234567',
    text: 'Tea',
  };
  const draft = await administrator.api(tariffs.probe, {
    body: { ...message, draft: { source: 'standard', rules } },
  });
  expect(draft).toMatchObject({ price: [0.75], amount: 0.75, operator: expect.any(String) });
  expect(draft.rules).toMatchObject([
    { TariffId: null, price: 1, version: 0 },
    { action: 'decrease', price: 0.25 },
  ]);
  const none = await administrator.api(tariffs.probe, {
    body: { ...message, draft: { source: 'viber', rules } },
  });
  expect(none).toMatchObject({ price: null, amount: null, rules: [] });
});

test('the probe names the rules in their order, and takes what the message is then charged', async () => {
  const vip = await create({
    title: 'Words',
    rules: [
      { ...RULE, price: 0.5, priority: 1, conditions: [{ tag: 'keywords', value: ['Kettle'] }] },
      { action: 'decrease', price: 0.3, priority: 0, conditions: [{ tag: 'text', value: '%' }] },
    ],
  });
  const base = await create({
    title: 'Networks',
    rules: [
      { ...RULE, price: 4, priority: 2, conditions: [{ tag: 'mccmnc', value: ['25001'] }] },
      { ...RULE, price: 3, priority: 1, conditions: [{ tag: 'recipient', value: '+7' }] },
      { ...RULE, price: 9, priority: 0, conditions: [] },
    ],
  });
  await assign(customer.id, [
    { id: base.id, priority: 1 },
    { id: vip.id, priority: 2 },
  ]);
  await expect.poll(async () => (await probe('Kettle')).price).toEqual([0.5]);
  const discounted = await probe('Tea 10%');
  expect(discounted.rules.map(({ tariff, action }) => [tariff, action])).toEqual([
    ['Networks', 'increase'],
    ['Words', 'decrease'],
  ]);
  const texts = ['Tea', 'Kettle', 'Kettle 5%', 'Sale %', 'Чай '.repeat(30), 'kettles'];
  const phones = ['+79161234567', '+79261234567', '+79031234567', '+79501234567'];
  for (const text of texts)
    for (const recipient of phones) {
      const expected = await probe(text, recipient);
      const { id } = (await customer.api(sendings.create, {
        body: { type: 'sms', payload: { sender: 'MIRTEA', text }, recipient } as never,
      })) as SendingReceipt;
      const [entry] = await world.db.query<{ amount: number; price: number[]; tariff: string }>(
        `select -amount::float8 as amount, price::float8[] as price, tariff_id as tariff from billings where id = $1`,
        [id],
      );
      expect([text, recipient, entry]).toEqual([
        text,
        recipient,
        {
          amount: expected.amount,
          price: expected.price,
          tariff: expected.rules[0]!.TariffId,
        },
      ]);
    }
  expect(await problems(world)).toEqual([]);
});

test.each<[string, object]>([
  ['an unknown tag', { conditions: [{ tag: 'colour', value: 'red' }] }],
  ['an unknown type', { conditions: [{ tag: 'type', value: 'fax' }] }],
  ['a network that is none', { conditions: [{ tag: 'mccmnc', value: '401' }] }],
  ['no value', { conditions: [{ tag: 'text', value: [] }] }],
  ['a price below zero', { price: -1 }],
  ['five decimals', { price: 0.00001 }],
  ['three prices', { price: [1, 2, 3] }],
  ['an action that is none', { action: 'set' }],
])('a rule is refused: %s', async (_, change) => {
  const rules = [{ ...RULE, ...change }] as TariffInput['rules'];
  expect(await codeOf(create({ rules }))).toBe('validation');
});

test('an account has a tariff once, and only one that exists; nothing changes otherwise', async () => {
  const { id } = await create();
  await assign(customer.id, [{ id, priority: 1 }]);
  const twice = [
    { id, priority: 1 },
    { id, priority: 2 },
  ];
  expect(await codeOf(assign(customer.id, twice))).toBe('validation');
  const unknown = [{ id: '01930000-0000-7000-8000-0000000000a1', priority: 1 }];
  expect(await codeOf(assign(customer.id, unknown))).toBe('validation');
  const { data } = await customer.api(tariffs.find);
  expect(data.map((row) => row.id)).toEqual([id]);
});

test('customers and managers set no prices, and probe those of their own accounts', async () => {
  const manager = await world.person({ level: 'manager' });
  const { id } = await create();
  for (const by of [customer, manager]) {
    const calls = [
      by.api(tariffs.catalogue),
      by.api(tariffs.create, { body: TARIFF }),
      by.api(tariffs.replace, { params: { id }, body: TARIFF }),
      by.api(tariffs.remove, { params: { id } }),
      by.api(tariffs.assign, { params: { id: by.id }, body: { tariffs: [] } }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(Array.from(calls, () => 'forbidden'));
  }
  const reseller = await world.person({ level: 'reseller' });
  expect(await codeOf(probe('Tea', undefined, reseller))).toBe('not_found');
});

test('the words that each message is searched for are limited in all rules together', async () => {
  const words = (count: number, tag: 'text' | 'keywords') => ({
    ...RULE,
    conditions: [{ tag, value: Array.from({ length: count }, (_, n) => `word${n}`) }],
  });
  const body = (count: number) => ({
    ...TARIFF,
    rules: [words(250, 'text'), words(count, 'keywords')],
  });
  expect((await administrator.api(tariffs.create, { body: body(250) })).rules).toHaveLength(2);
  expect(await codeOf(administrator.api(tariffs.create, { body: body(251) }))).toBe('validation');
});
