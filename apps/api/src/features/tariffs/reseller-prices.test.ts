import {
  ADMINISTRATOR_GRANTS,
  billings,
  sendings,
  tariffs,
  users,
  type ApiError,
  type SendingReceipt,
  type TariffInput,
} from '@heliograph/contract';
import { amountOf, priceAfterStep, volumeStep, type PriceQuery } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve } from '../../../test/factories.ts';
import { raw } from '../../../test/raw.ts';
import { type Person, World } from '../../../test/world.ts';
import { TariffsService } from './tariffs.service.ts';

type Rules = TariffInput['rules'];

let world: World;
let administrator: Person;
let manager: Person;
let reseller: Person;
let customer: Person;
let sibling: Person;
let ofSibling: Person;
let stranger: Person;
let own: string;
let theirs: string;
let ofAll: string;
let removed: string;
const LIST = randomUUID();
const PHONE = '+79161234567';

const rule = (price: number | number[], over: Partial<Rules[number]> = {}): Rules[number] => ({
  action: 'increase',
  price,
  priority: 0,
  conditions: [],
  ...over,
});
const tariff = (rules: Rules, over: Partial<TariffInput> = {}): TariffInput => ({
  title: 'Own',
  source: 'any',
  isDefault: false,
  rules,
  ...over,
});
const create = async (by: Person, rules: Rules) =>
  (await by.api(tariffs.create, { body: tariff(rules) })).id;
const assign = (by: Person, id: string, given: string[]) =>
  by.api(tariffs.assign, {
    params: { id },
    body: { tariffs: given.map((one, i) => ({ id: one, priority: 9 - i })) },
  });

/** What the reseller pays. */
const COST: Rules = [
  rule(1, { priority: 3, conditions: [{ tag: 'keywords', value: 'code' }] }),
  rule(3, { priority: 2, conditions: [{ tag: 'mccmnc', value: '25002' }] }),
  rule([1, 0.05], { priority: 1, conditions: [{ tag: 'type', value: 'voice' }] }),
  rule(2, { conditions: [{ tag: 'type', value: ['sms', 'viber'] }] }),
  rule(0.25, { action: 'decrease', conditions: [{ tag: 'text', value: 'sale' }] }),
];

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller', managerId: manager.id });
  sibling = await world.person({ level: 'reseller', managerId: manager.id });
  customer = await world.person({ resellerId: reseller.id, balance: 1000 });
  ofSibling = await world.person({ resellerId: sibling.id });
  stranger = await world.person();
  await approve(world, customer.id);
  const cost = await create(administrator, COST);
  for (const one of [reseller, sibling]) await assign(administrator, one.id, [cost]);
  own = await create(reseller, [rule(5)]);
  theirs = await create(sibling, [rule(6)]);
  await assign(sibling, ofSibling.id, [theirs]);
  ofAll = await create(administrator, [rule(7)]);
  removed = await create(reseller, [rule(8)]);
  await reseller.api(tariffs.remove, { params: { id: removed } });
});
afterAll(() => world.stop());

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );

test('a reseller makes tariffs for its customers, which are billed by them, above and not below its own price', async () => {
  const id = await create(reseller, [
    rule(5, { conditions: [{ tag: 'text', value: 'Gold' }] }),
    rule(0.01),
  ]);
  // The tariff of the installation stays beside those of the reseller.
  const { data } = await assign(reseller, customer.id, [id]);
  expect(data.map(({ title }) => title)).toEqual(['Own', 'Standard']);
  const priceOf = async (text: string) => {
    const body = { type: 'sms', payload: { sender: 'MIRTEA', text }, recipient: '+79161234567' };
    const { id: sent } = (await customer.api(sendings.create, {
      body: body as never,
    })) as SendingReceipt;
    const { data: bill, TariffId } = await customer.api(billings.get, { params: { id: sent } });
    return [bill.price, TariffId];
  };
  expect(await priceOf('Gold tea')).toEqual([5, id]);
  expect(await priceOf('Tea')).toEqual([2, id]);
  expect(await priceOf('Your code')).toEqual([1, id]);
  expect(await priceOf('A sale')).toEqual([1.75, id]);
  // Where the operator allows it, the price is that of the reseller.
  const other = await world.person({ level: 'reseller' });
  const served = await world.person({ resellerId: other.id });
  await assign(administrator, other.id, [ofAll]);
  await administrator.api(users.configure, {
    params: { id: other.id },
    body: { maySellBelowCost: true },
  });
  await assign(other, served.id, [await create(other, [rule(0.5)])]);
  const probe = await served.api(tariffs.probe, {
    body: { type: 'sms', sender: 'A', recipient: '+79161234567', text: 'Tea' },
  });
  expect(probe.price).toEqual([0.5]);
});

test('volume steps of a reseller end at its own price, and begin at the prices of its customers', async () => {
  const { id } = await reseller.api(tariffs.create, {
    body: tariff([rule(5)], {
      volumeSteps: [
        { from: 1, percent: 20 },
        { from: 2, percent: 90 },
      ],
    }),
  });
  const served = await world.person({ resellerId: reseller.id, balance: 100 });
  await approve(world, served.id);
  await assign(reseller, served.id, [id]);
  const prices: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    const body = { type: 'sms', payload: { sender: 'MIRTEA', text: 'Tea' }, recipient: PHONE };
    const sent = (await served.api(sendings.create, { body: body as never })) as SendingReceipt;
    const bill = await served.api(billings.get, { params: { id: sent.id } });
    prices.push([bill.data.price, bill.volumeStep?.percent ?? null]);
  }
  expect(prices).toEqual([
    [5, null],
    [4, 20],
    // Half a rouble it would be.
    [2, 90],
  ]);
});

test('a customer that has moved to another reseller, or has another currency, is not priced by the former one', async () => {
  const moved = await world.person({ resellerId: reseller.id });
  await assign(reseller, moved.id, [own]);
  const holds = async () =>
    (
      await administrator.api(tariffs.find, { query: { filter: { OwnerId: moved.id } } })
    ).data.flatMap(({ usersTariffs }) => usersTariffs.map(({ title }) => title));
  expect(await holds()).toContain('Own');
  await world.db.query(
    `update users set settings = jsonb_set(coalesce(settings, '{}'), '{billings}', '{"currency":"EUR"}') where id = $1`,
    [moved.id],
  );
  expect(await holds()).not.toContain('Own');
  await world.db.query(`update users set settings = '{}', reseller_id = $2 where id = $1`, [
    moved.id,
    sibling.id,
  ]);
  expect(await holds()).not.toContain('Own');
  // Nor does the new one see the tariff of the former.
  const seen = await sibling.api(tariffs.find, { query: { filter: { OwnerId: moved.id } } });
  expect(seen.data.map(({ id }) => id)).not.toContain(own);
});

test('the default currency is the same whether an account names it or not', async () => {
  const named = await world.person({ resellerId: reseller.id });
  await assign(reseller, named.id, [own]);
  await world.db.query(
    `update users set settings = jsonb_set(settings, '{billings}', '{"currency":"RUB"}') where id = $1`,
    [named.id],
  );
  const { data } = await named.api(tariffs.find);
  expect(data.map(({ id }) => id)).toContain(own);
});

test('a tariff that was removed prices nothing for an account that returns', async () => {
  const id = await create(reseller, [rule(9)]);
  const away = await world.person({ resellerId: reseller.id });
  await assign(reseller, away.id, [id]);
  const move = (to: string) =>
    world.db.query(`update users set reseller_id = $2 where id = $1`, [away.id, to]);
  expect(await codeOf(reseller.api(tariffs.remove, { params: { id } }))).toBe('in_use');
  await move(sibling.id);
  expect((await reseller.api(tariffs.catalogueGet, { params: { id } })).accounts).toBe(0);
  await reseller.api(tariffs.remove, { params: { id } });
  await move(reseller.id);
  const { data } = await away.api(tariffs.find);
  expect(data.map((one) => one.id)).not.toContain(id);
});

const CONDITIONS: Record<string, Rules[number]['conditions']> = {
  'without a condition': [],
  'by text': [{ tag: 'text', value: 'e' }],
  'by word': [{ tag: 'keywords', value: ['Tea', 'code'] }],
  'by sender': [{ tag: 'sender', value: 'MIRTEA' }],
  'by prefix': [{ tag: 'recipient', value: ['+7', '+4'] }],
  'by type': [{ tag: 'type', value: ['sms', 'voice'] }],
  'by group': [{ tag: 'group', value: ['advertising', 'service'] }],
  'by list': [{ tag: 'contactList', value: LIST }],
  'by network': [{ tag: 'mccmnc', value: ['250*', '25002'] }],
  'by all of it': [
    { tag: 'type', value: ['sms', 'voice'] },
    { tag: 'sender', value: 'MIRTEA' },
    { tag: 'recipient', value: '+7' },
  ],
};
const EFFECTS: Record<
  string,
  (conditions: Rules[number]['conditions'], priority: number) => Rules
> = {
  'a price of nothing': (conditions, priority) => [rule(0, { conditions, priority })],
  'the least price': (conditions, priority) => [rule(0.0001, { conditions, priority })],
  'nothing per call and second': (conditions, priority) => [rule([0, 0], { conditions, priority })],
  'a price per call without one per second': (conditions, priority) => [
    rule([1.5, 0], { conditions, priority }),
  ],
  'a discount on an own price': (conditions, priority) => [
    rule(5),
    rule(100, { action: 'decrease', conditions, priority }),
  ],
  'a discount of both elements': (conditions, priority) => [
    rule([5, 1]),
    rule([100, 100], { action: 'decrease', conditions, priority }),
  ],
  'a discount on the price of another': (conditions, priority) => [
    rule(100, { action: 'decrease', conditions, priority }),
  ],
  'many small discounts': (conditions, priority) => [
    rule(3),
    ...Array.from({ length: 40 }, () => rule(0.1, { action: 'decrease', conditions, priority })),
  ],
};
const PLACES: Record<string, { source: string; of: number; rule: number }> = {
  'above all': { source: 'any', of: 2_147_483_647, rule: 2_147_483_647 },
  'below all': { source: 'any', of: -2_147_483_648, rule: -2_147_483_648 },
  'for texts alone': { source: 'sms', of: 50, rule: 1 },
};
const STEPS: Record<string, NonNullable<TariffInput['volumeSteps']>> = {
  'without steps': [],
  'almost for nothing from the first message on': [{ from: 1, percent: 99.99 }],
  'by many steps': Array.from({ length: 10 }, (_, i) => ({ from: i + 1, percent: 9.5 * (i + 1) })),
};
const WAYS = Object.entries(CONDITIONS)
  .flatMap(([condition, conditions]) =>
    Object.entries(EFFECTS).flatMap(([effect, rulesOf]) =>
      Object.entries(PLACES).map(([place, { source, of, rule: priority }]) => ({
        name: `${effect}, ${condition}, ${place}`,
        source,
        priority: of,
        rules: rulesOf(conditions, priority),
      })),
    ),
  )
  .map((way, i) => {
    // Each effect and place has each kind of steps.
    const [name, steps] = Object.entries(STEPS)[Math.floor(i / 3) % 3]!;
    return { ...way, name: `${way.name}, ${name}`, steps };
  });
const QUERIES: PriceQuery[] = ['Tea', 'Your code', 'Sale of tea'].flatMap((text) =>
  [null, '25001', '25002'].flatMap((mccmnc) =>
    (['sms', 'voice', 'viber'] as const).map((type) => ({
      type,
      sender: 'MIRTEA',
      phone: '+79161234567',
      text,
      mccmnc,
      contactLists: [LIST],
      group: 'advertising',
    })),
  ),
);

test(`none of ${WAYS.length} ways to write a tariff sells below cost`, async () => {
  const ids = WAYS.map(() => ({ user: randomUUID(), tariff: randomUUID() }));
  const priced = WAYS.map((way, i) => ({ ...way, ...ids[i]! }));
  await world.db.query(
    `insert into users (id, username, password_hash, owner_id, level, reseller_id)
     select id, 'way-' || id, '', id, 'me', $2 from unnest($1::uuid[]) id`,
    [ids.map(({ user }) => user), reseller.id],
  );
  await world.db.query(
    `insert into tariffs (id, title, source, reseller_id)
     select w.tariff, 'Way', w.source, $2 from jsonb_to_recordset($1) w (tariff uuid, source text)`,
    [JSON.stringify(priced), reseller.id],
  );
  await world.db.query(
    `insert into tariff_rules (tariff_id, action, price, conditions, priority)
     select w.tariff, r.action, array(select jsonb_array_elements_text(r.price)::numeric), r.conditions, r.priority
       from jsonb_to_recordset($1) w (tariff uuid, rules jsonb),
            jsonb_to_recordset(w.rules) r (action text, price jsonb, conditions jsonb, priority int)`,
    [
      JSON.stringify(
        priced.map(({ rules, ...way }) => ({
          ...way,
          rules: rules.map((one) => ({ ...one, price: [one.price].flat() })),
        })),
      ),
    ],
  );
  await world.db.query(
    `update tariff_versions v set volume_steps = w.steps from jsonb_to_recordset($1) w (tariff uuid, steps jsonb) where v.tariff_id = w.tariff`,
    [JSON.stringify(priced)],
  );
  // The base tariff of the installation is beside it, as new accounts have it.
  await world.db.query(
    `insert into users_tariffs (owner_id, tariff_id, priority)
     select w."user", w.tariff, w.priority from jsonb_to_recordset($1) w ("user" uuid, tariff uuid, priority int)
     union all
     select w."user", t.id, 0 from jsonb_to_recordset($1) w ("user" uuid), tariffs t where t.is_default`,
    [JSON.stringify(priced)],
  );
  const service = world.api.get(TariffsService);
  const cost = await service.priceBook(reseller.id);
  const below: string[] = [];
  let compared = 0;
  let stepped = 0;
  for (const { name, user, tariff: id } of priced) {
    const book = await service.priceBook(user);
    for (const query of QUERIES) {
      const price = book.price(query);
      if (!price?.tariffIds.includes(id)) continue;
      const least = cost.price(query);
      const lowest = volumeStep(price.steps ?? [], Infinity);
      if (lowest.step) stepped += 1;
      for (const units of [1, 2, 60]) {
        compared += 1;
        const sold = priceAfterStep(price.price, lowest.step, price.floor);
        const amount = amountOf(sold, units, query.type);
        if (!least || amount < amountOf(least.price, units, query.type))
          below.push(`${name}: ${JSON.stringify(query)}`);
      }
    }
  }
  expect(below).toEqual([]);
  // Every way prices something: none of them is harmless because it never applies.
  expect(compared).toBeGreaterThan(WAYS.length * 3);
  expect(stepped).toBeGreaterThan(WAYS.length / 2);
});

const UNKNOWN = '01930000-0000-7000-8000-0000000000a1';
const TARIFFS = {
  'of the installation': () => ofAll,
  'of a sibling': () => theirs,
  'that is removed': () => removed,
  'that is none': () => UNKNOWN,
};
const ON_TARIFFS: Record<string, (id: string, by: Person) => Promise<unknown>> = {
  read: (id, by) => by.api(tariffs.catalogueGet, { params: { id } }),
  'read its versions': (id, by) => by.api(tariffs.versions, { params: { id } }),
  replace: (id, by) => by.api(tariffs.replace, { params: { id }, body: tariff([rule(0)]) }),
  plan: (id, by) =>
    by.api(tariffs.replace, {
      params: { id },
      body: { ...tariff([rule(0)]), startsAt: new Date(Date.now() + 86_400_000).toISOString() },
    }),
  withdraw: (id, by) => by.api(tariffs.withdraw, { params: { id, number: 1 } }),
  remove: (id, by) => by.api(tariffs.remove, { params: { id } }),
};
const ACCOUNTS = {
  itself: () => reseller,
  'a sibling': () => sibling,
  'a customer of a sibling': () => ofSibling,
  'an account of nobody': () => stranger,
  'its manager': () => manager,
  'an administrator': () => administrator,
};
const SETTINGS: Record<string, () => object> = {
  'selling below cost': () => ({ maySellBelowCost: true }),
  'more customers': () => ({ maxCustomers: 1_000_000 }),
  'more overdraft to give': () => ({ maxCustomerOverdraft: 1_000_000 }),
  'an overdraft': () => ({ overdraft: 1_000_000 }),
  'the level of a manager': () => ({ level: 'manager' }),
  'the level of a reseller': () => ({ level: 'reseller' }),
  'another reseller': () => ({ ResellerId: sibling.id }),
  'no reseller': () => ({ ResellerId: null }),
  'another manager': () => ({ ManagerId: administrator.id }),
  'another currency': () => ({ currency: 'IRR' }),
  'a credit line': () => ({ creditLine: 1_000_000 }),
  'operations of customers': () => ({ processChildrenOperations: true }),
  'no sender checks': () => ({ sendernamesCheck: [] }),
  permissions: () => ({ grants: { add: ['users.all'] } }),
};

type Attempt = [name: string, call: () => Promise<unknown>];
const body = (path: string, method: string, value: unknown) => async () => {
  const { status, json } = await raw(world, reseller, method, path, value as never);
  if (status >= 400) throw Object.assign(new Error(), { code: json.code });
};
const ATTEMPTS: Attempt[] = [
  ...Object.entries(TARIFFS).flatMap(([of, idOf]) =>
    Object.entries(ON_TARIFFS).map(([verb, call]): Attempt => [
      `to ${verb} a tariff ${of}`,
      () => call(idOf(), reseller),
    ]),
  ),
  ...Object.entries(TARIFFS).map(([of, idOf]): Attempt => [
    `to give its customer a tariff ${of}`,
    () => assign(reseller, customer.id, [idOf()]),
  ]),
  ...Object.entries(ACCOUNTS).flatMap(([whom, accountOf]): Attempt[] => [
    [`to give ${whom} its tariff`, () => assign(reseller, accountOf().id, [own])],
    [`to take the tariffs of ${whom}`, () => assign(reseller, accountOf().id, [])],
    ...Object.entries(SETTINGS).map(([what, value]): Attempt => [
      `to give ${whom} ${what}`,
      () => body(`/users/${accountOf().id}/account`, 'PUT', value())(),
    ]),
  ]),
  ...Object.entries(SETTINGS).map(([what, value]): Attempt => [
    `to give its customer ${what}`,
    () => body(`/users/${customer.id}/account`, 'PUT', value())(),
  ]),
  // What it opens without a reseller is its own, as below.
  ...Object.entries(SETTINGS)
    .filter(([what]) => what !== 'no reseller')
    .map(([what, value]): Attempt => [
      `to open an account with ${what}`,
      () => body('/users', 'POST', { username: `new-${randomUUID()}`, data: {}, ...value() })(),
    ]),
  [
    'a tariff for all new accounts',
    body('/tariffs', 'POST', tariff([rule(0)], { isDefault: true })),
  ],
  [
    'a tariff of a sibling',
    body('/tariffs', 'POST', { ...tariff([rule(0)]), ResellerId: UNKNOWN }),
  ],
  [
    'its tariff for all new accounts',
    () =>
      reseller.api(tariffs.replace, {
        params: { id: own },
        body: tariff([rule(5)], { isDefault: true }),
      }),
  ],
  [
    'the prices of a customer of a sibling',
    () =>
      reseller.api(tariffs.probe, {
        body: {
          OwnerId: ofSibling.id,
          type: 'sms',
          sender: 'A',
          recipient: '+79161234567',
          text: '',
        },
      }),
  ],
  [
    'the tariffs of a customer of a sibling',
    () => reseller.api(tariffs.find, { query: { filter: { OwnerId: ofSibling.id } } }),
  ],
  ['a tariff of a sibling by its id', () => reseller.api(tariffs.get, { params: { id: theirs } })],
  ['a tariff by a customer', () => create(customer, [rule(0)])],
  ['a tariff by a manager', () => create(manager, [rule(0)])],
];

const state = () =>
  world.db.query(
    `select (select jsonb_agg(t order by t.id) from tariffs t) as tariffs,
            (select jsonb_agg(v order by v.tariff_id, v.number) from tariff_versions v) as versions,
            (select jsonb_agg(r order by r.id) from tariff_rules r) as rules,
            (select jsonb_agg(a order by a.owner_id, a.tariff_id) from users_tariffs a) as given,
            (select jsonb_agg(jsonb_build_array(u.id, u.level, u.reseller_id, u.manager_id, u.grants, u.settings) order by u.id)
               from users u) as users,
            (select jsonb_agg(jsonb_build_array(b.owner_id, b.balance, b.overdraft) order by b.owner_id) from balances b) as balances`,
  );

describe(`${ATTEMPTS.length} attempts of a reseller at what is not its own`, () => {
  test('are refused, and change nothing', async () => {
    const before = await state();
    const codes: [string, string][] = [];
    for (const [name, call] of ATTEMPTS) codes.push([name, await codeOf(call())]);
    const refused = ['forbidden', 'not_found', 'validation', 'conflict', 'unknown_field'];
    expect(codes.filter(([, code]) => !refused.includes(code))).toEqual([]);
    expect(await state()).toEqual(before);
  });

  test('and what it opens without a reseller is its own', async () => {
    const body = { username: `new-${randomUUID()}`, data: {}, ResellerId: null };
    const { user } = await reseller.api(users.create, { body });
    expect(user.ResellerId).toBe(reseller.id);
  });

  test('and its lists have its own tariffs alone', async () => {
    const { data } = await reseller.api(tariffs.catalogue);
    expect(data.length).toBeGreaterThan(0);
    expect(data.every(({ ResellerId }) => ResellerId === reseller.id)).toBe(true);
    expect(WAYS.length + ATTEMPTS.length).toBeGreaterThan(200);
  });
});

test('a customer has a few tariffs of its reseller at a time', async () => {
  const five = [];
  for (let n = 0; n < 5; n++) five.push(await create(reseller, [rule(9)]));
  expect(await codeOf(assign(reseller, customer.id, [...five, own]))).toBe('validation');
  expect((await assign(reseller, customer.id, five)).data).toHaveLength(6);
});
