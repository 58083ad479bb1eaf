import {
  ADMINISTRATOR_GRANTS,
  analytics,
  billings,
  packageOffers,
  packages,
  reports,
  sendings,
  spendCaps,
  tariffs,
  tasks,
  tokens,
  type PackageOfferInput,
  type SendingTask,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { verifyRollups } from '../../src/features/analytics/verify.store.ts';
import { ChargesService } from '../../src/features/billings/charges.service.ts';
import { PackageEndingsService } from '../../src/features/billings/package-endings.service.ts';
import { ReportsService } from '../../src/features/sendings/reports/reports.service.ts';
import { approve, balance, contactList, finished, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  // At noon no day of a spend cap ends while a test runs.
  world.clock.forward(DAY * 1.5 - ((Date.now() / 1000) % DAY));
  for (let i = 0; i < 3; i++) await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
beforeEach(async () => {
  await setCarrier(world, {});
  owner = await sender(1000);
});
afterEach(async () => {
  const found = await problems(world);
  if (found.length) throw new Error(`the ledger does not add up: ${JSON.stringify(found)}`);
});
afterAll(() => world.stop());

const OFFER: PackageOfferInput = {
  title: 'Ten messages',
  types: ['sms'],
  mccmnc: [],
  units: 10,
  price: 20,
  currency: 'RUB',
  days: 30,
  isActive: true,
};
const TEXT = 'Your order is ready';
/** Of two segments. */
const LONG = 'x'.repeat(200);
const DAY = 86_400;

async function sender(money: number, options: object = {}): Promise<Person> {
  const person = await world.person({ balance: money, ...options });
  await approve(world, person.id);
  return person;
}
const offer = (changes: Partial<PackageOfferInput> = {}) =>
  administrator.api(packageOffers.create, { body: { ...OFFER, ...changes } });
/** Of an offer with these changes; returns its id. */
async function buy(changes: Partial<PackageOfferInput> = {}, who = owner): Promise<string> {
  const { id: OfferId, price } = await offer(changes);
  return (await who.api(packages.create, { body: { OfferId, price } })).id;
}
const left = async (id: string, who = owner) =>
  (await who.api(packages.get, { params: { id } })).unitsLeft;
let phones = 0;
const phone = () => `+7902${String(phones++).padStart(7, '0')}`;
interface Receipt {
  id: string;
  code?: string;
}
async function send(
  body: { text?: string; recipient?: string; type?: string; fallbacks?: object[] } = {},
  who = owner,
): Promise<Receipt> {
  const { text = TEXT, recipient = phone(), type = 'sms', fallbacks } = body;
  const payload = { sender: 'MIRTEA', text };
  const call = { type, recipient, payload, ...(fallbacks && { fallbacks }) };
  try {
    return (await who.api(sendings.create, { body: call as never })) as Receipt;
  } catch (error) {
    return (error as { body: Receipt }).body;
  }
}
const bulkBody = (lists: string[]) => ({
  type: 'sms' as const,
  recipient: { include: lists },
  payload: { sender: 'MIRTEA', text: TEXT },
});
const bulk = async (lists: string[], who = owner) =>
  (await who.api(sendings.create, { body: bulkBody(lists) as never })) as z.infer<
    typeof SendingTask
  >;
const sending = (id: string) => owner.api(sendings.get, { params: { id }, query: {} });
const entry = (id: string, who = owner) => who.api(billings.get, { params: { id } });
/** Entries of messages: how many a package covers, and how many are paid. */
async function charged(who = owner): Promise<{ covered: number; paid: number; sum: number }> {
  const [row] = await world.db.query<{ covered: number; paid: number; sum: number }>(
    `select count(package_id)::int as covered, (count(*) - count(package_id))::int as paid, coalesce(-sum(amount), 0)::float8 as sum
       from billings where owner_id = $1 and source > 0`,
    [who.id],
  );
  return row!;
}
let price: number;
beforeAll(async () => {
  const one = await sender(1000);
  price = (
    await one.api(sendings.estimate, {
      body: { type: 'sms', recipient: phone(), payload: { sender: 'MIRTEA', text: TEXT } },
    })
  ).amount;
});

test('a package is bought from the balance, and messages take its units instead of money', async () => {
  const id = await buy();
  expect(await balance(world, owner.id)).toBe(980);
  const { data } = await owner.api(billings.find, { query: { filter: { source: ['subtract'] } } });
  expect(data).toMatchObject([{ amount: -20, meta: { origin: { type: 'package', id } } }]);
  expect(await owner.api(packages.find, {})).toMatchObject({
    data: [{ id, OwnerId: owner.id, title: 'Ten messages', units: 10, unitsLeft: 10, price: 20 }],
  });
  const first = await send();
  const second = await send({ text: LONG });
  expect(await entry(first.id)).toMatchObject({
    source: 'sendings.sms',
    amount: 0,
    status: 'complete',
    PackageId: id,
    data: { price, multiplier: 1 },
  });
  expect(await entry(second.id)).toMatchObject({
    amount: 0,
    PackageId: id,
    data: { multiplier: 2 },
  });
  expect(await left(id)).toBe(7);
  expect(await balance(world, owner.id)).toBe(980);
});

test('the timeline of a message names its package, and sums say how many messages packages cover', async () => {
  await buy({ units: 10, title: '=Ten "messages"' });
  const one = await send();
  const list = await contactList(world, owner.id, 12);
  const { id } = await bulk([list]);
  await finished(owner, id);
  await setCarrier(world, { failed: 1 });
  const failing = await buy({ units: 1, title: 'Of viber', types: ['viber'] });
  const { id: lost } = await send({ type: 'viber' });
  await until(async () => (await left(failing)) === 1, 'the unit of a failed message');
  const timeline = async (message: string) =>
    (await sending(message)).timeline!.flatMap(({ event, amount, package: name }) =>
      amount === null ? [] : [{ event, amount, name }],
    );
  const charge = { event: 'charged', amount: 0, name: '=Ten "messages"' };
  expect(await timeline(one.id)).toEqual([charge]);
  expect(await timeline(lost)).toEqual([
    { ...charge, name: 'Of viber' },
    { event: 'refunded', amount: 0, name: 'Of viber' },
  ]);
  const { cost } = await owner.api(tasks.outcome, { params: { id } });
  const charged = Math.round(price * 3 * 10_000) / 10_000;
  expect(cost).toEqual({ charged, spent: charged, reserved: 0, refunded: 0, covered: 9 });
  const rows = async ($preset: string) => {
    const { data } = await owner.api(reports.find, { query: { filter: { $preset } as never } });
    return data as unknown as Record<string, unknown>[];
  };
  expect(await rows('sendings.byType')).toMatchObject([
    { type: 'sms', messages: 13, amount: charged, covered: 10 },
    { type: 'viber', messages: 1, amount: 0, covered: 0 },
  ]);
  const figures = async () => {
    const at = (days: number) =>
      new Date(world.clock.now().getTime() + days * DAY * 1000).toISOString();
    const query = { by: 'type', from: at(-1), to: at(1) } as const;
    const { data: types, total } = await owner.api(analytics.get, { query: query as never });
    const covered = types.map((row) => [row.key, row.figures.covered]);
    return Object.fromEntries([['total', total.covered], ...covered]) as Record<string, number>;
  };
  await until(async () => (await figures()).viber === 0, 'the rollups');
  await until(async () => (await figures()).total === 10, 'the rollups of what is covered');
  expect(await figures()).toEqual({ total: 10, sms: 10, viber: 0 });
  expect((await verifyRollups(world.db)).filter(({ id: of }) => of === owner.id)).toEqual([]);
  await world.db.query(`update rollups set covered = covered + 1 where owner_id = $1`, [owner.id]);
  expect((await verifyRollups(world.db)).some(({ id: of }) => of === owner.id)).toBe(true);
  await world.db.query(`update rollups set covered = covered - 1 where owner_id = $1`, [owner.id]);
  const bySource = await rows('billings.bySource');
  expect(bySource.find(({ source }) => source === 'sms')).toMatchObject({
    entries: 13,
    charged,
    covered: 10,
  });
  const { key } = await owner.api(reports.create, {
    body: { preset: 'sendings.details', locale: 'en', encoding: 'utf8' },
  });
  await until(async () => (await owner.api(reports.get, { params: { id: key } })).hasFile, 'file');
  const answer = await fetch(`${world.base}/api/storage/${key}`, {
    headers: { authorization: owner.token },
  });
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines[0]).toMatch(/;Package;"Seconds of the call"$/);
  const endingWith = (cell: string) => lines.filter((line) => line.endsWith(`;${cell};`)).length;
  expect(endingWith(`"'=Ten ""messages"""`)).toBe(10);
  expect(endingWith('Of viber')).toBe(1);
  expect(endingWith('')).toBe(3);
});

test('a message is never split: where units are too few it takes another package, or costs its price', async () => {
  const id = await buy({ units: 3 });
  await send({ text: LONG });
  const { id: paid } = await send({ text: LONG });
  expect(await entry(paid)).toMatchObject({ amount: -2 * price });
  expect(await entry(paid)).not.toHaveProperty('PackageId');
  expect(await left(id)).toBe(1);
  const other = await buy({ units: 5, days: 60 });
  expect(await entry((await send({ text: LONG })).id)).toMatchObject({ PackageId: other });
  expect([await left(id), await left(other)]).toEqual([1, 3]);
});

test('the package that ends first is used first, and only for its types and networks', async () => {
  const late = await buy({ days: 60 });
  const soon = await buy({ days: 10 });
  const foreign = await buy({ days: 5, mccmnc: ['401*'] });
  const viber = await buy({ days: 5, types: ['viber', 'mms'] });
  await send();
  await send({ recipient: `+77011${String(phones++).padStart(6, '0')}` });
  expect(await Promise.all([late, soon, foreign, viber].map((id) => left(id)))).toEqual([
    10, 9, 9, 10,
  ]);
  expect((await charged()).paid).toBe(0);
});

test('a package that has ended covers nothing, and gets back the units of what fails then', async () => {
  await setCarrier(world, { silent: 1 });
  const id = await buy({ days: 1 });
  const { id: covered } = await send();
  await until(async () => (await sending(covered)).state.status !== 'pending', 'its submit');
  // The clock stands still: after a day the message would expire, and be refunded by the sweep.
  await world.db.query(`update message_packages set ends_at = $2 where id = $1`, [
    id,
    world.clock.now(),
  ]);
  const { id: paid } = await send();
  expect(await entry(paid)).toMatchObject({ amount: -price });
  expect(await left(id)).toBe(9);
  const report = { id: covered, status: 'failed' as const, code: 'other', at: world.clock.now() };
  const reports = world.api.get(ReportsService);
  await Promise.all([1, 2, 3].map(() => reports.apply([{ ...report }])));
  expect(await left(id)).toBe(10);
  expect(await world.api.get(ChargesService).refund([covered])).toEqual([]);
  expect(await left(id)).toBe(10);
  expect(await balance(world, owner.id)).toBe(980 - price);
  expect(await entry(covered)).toMatchObject({ status: 'refunded', amount: 0, PackageId: id });
  // They cannot be used any more.
  expect(await entry((await send()).id)).toMatchObject({ amount: -price });
});

test('messages that fail give their units back, however many ask at once', async () => {
  await setCarrier(world, { failed: 1 });
  const a = await buy({ units: 5 });
  const b = await buy({ units: 30, days: 60 });
  const sent = await Promise.all(Array.from({ length: 20 }, () => send()));
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from billings where owner_id = $1 and status = 2`,
      [owner.id],
    );
    return row!.n === 20;
  }, 'all to be refunded');
  const charges = world.api.get(ChargesService);
  await Promise.all([1, 2, 3].map(() => charges.refund(sent.map(({ id }) => id))));
  expect([await left(a), await left(b)]).toEqual([5, 30]);
  expect(await balance(world, owner.id)).toBe(960);
});

test('a bulk takes what a package has, and pays the others as its estimate says', async () => {
  const id = await buy({ units: 30 });
  const list = await contactList(world, owner.id, 50);
  const estimate = await owner.api(sendings.estimate, { body: bulkBody([list]) as never });
  const toPay = Number((20 * price).toFixed(4));
  expect(estimate).toMatchObject({
    exact: true,
    amount: Number((50 * price).toFixed(4)),
    covered: { count: 30, units: 30, amount: Number((30 * price).toFixed(4)), toPay },
    balanceAfter: Number((980 - toPay).toFixed(4)),
    enough: true,
  });
  const task = await finished(owner, (await bulk([list])).id);
  expect(task.meta.amount).toBe(toPay);
  expect(await charged()).toEqual({ covered: 30, paid: 20, sum: toPay });
  expect(await left(id)).toBe(0);
  const after = await owner.api(sendings.estimate, { body: bulkBody([list]) as never });
  expect(after).not.toHaveProperty('covered');
});

test('a bulk that a package covers is sent without money, though recipients of two lists are the same', async () => {
  const id = await buy({ units: 1005 });
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  await world.db.query(
    `insert into billings (owner_id, source, amount, created_by) values ($1, -2, -980, $1)`,
    [owner.id],
  );
  const lists = [
    await contactList(world, owner.id, 1000),
    // Ten of the first list, and five others.
    await contactList(world, owner.id, 15, { first: 990 }),
  ];
  const task = await finished(owner, (await bulk(lists)).id);
  expect(task.meta.counters).toMatchObject({ total: 1005, skipped: { duplicate: 10 } });
  expect(await charged()).toEqual({ covered: 1005, paid: 0, sum: 0 });
  expect(await left(id)).toBe(0);
});

test('a fallback takes units, too', async () => {
  await setCarrier(world, { failed: 1 });
  const id = await buy();
  const fallback = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: TEXT },
    $options: { onStatus: ['failed'] },
  };
  await send({ type: 'viber', fallbacks: [fallback] });
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from billings where owner_id = $1 and package_id = $2`,
      [owner.id, id],
    );
    return row!.n === 1;
  }, 'the fallback to be charged');
});

test('units are no money: a spend cap does not stop what a package covers', async () => {
  const id = await buy({ units: 1 });
  await owner.api(spendCaps.set, { body: { day: 0, month: null, timeZone: 'UTC' } });
  expect((await send()).code).toBeUndefined();
  expect((await send()).code).toBe('spend_cap_reached');
  expect(await left(id)).toBe(0);
});

describe('a token with a spend cap', () => {
  const cost = (messages: number) => Number((price * messages).toFixed(4));
  /** Of `messages` messages in a day. */
  async function token(messages: number): Promise<Person> {
    const { id, token: secret } = await owner.api(tokens.create, { body: { description: 'Shop' } });
    const cap = { TokenId: id, day: cost(messages), month: null, timeZone: 'UTC' };
    await owner.api(spendCaps.set, { body: cap });
    return { ...owner, token: secret, api: world.client(secret) };
  }
  const spent = async () => (await owner.api(spendCaps.find, { query: {} })).data[0]!.spent;

  test('uses of a package what the cap covers at the price by the tariff', async () => {
    const id = await buy();
    const shop = await token(2);
    const first = await send({}, shop);
    expect((await send({}, shop)).code).toBeUndefined();
    expect((await send({}, shop)).code).toBe('spend_cap_reached');
    expect(await left(id)).toBe(8);
    expect(await spent()).toBe(cost(2));
    expect((await send()).code).toBeUndefined();
    expect(await left(id)).toBe(7);
    await world.api.get(ChargesService).refund([first.id]);
    expect(await spent()).toBe(price);
    expect((await send({}, shop)).code).toBeUndefined();
  });

  test('does not use more of it though many are sent at once', async () => {
    const id = await buy({ units: 30 });
    const shop = await token(5);
    const receipts = await Promise.all(Array.from({ length: 20 }, () => send({}, shop)));
    const refused = receipts.filter(({ code }) => code === 'spend_cap_reached');
    expect(refused).toHaveLength(15);
    expect(await left(id)).toBe(25);
  });

  test('an estimate of it counts the price of what the package covers', async () => {
    await buy();
    const shop = await token(1);
    const body = (texts: string) => ({
      type: 'sms' as const,
      recipient: phone(),
      payload: { sender: 'MIRTEA', text: texts },
    });
    expect(await shop.api(sendings.estimate, { body: body(TEXT) })).toMatchObject({ enough: true });
    expect(await shop.api(sendings.estimate, { body: body(LONG) })).toMatchObject({
      enough: false,
      cap: { limit: price },
    });
    expect(await owner.api(sendings.estimate, { body: body(LONG) })).toMatchObject({
      enough: true,
    });
  });

  test('a bulk of it is refused, and takes nothing', async () => {
    const id = await buy();
    const shop = await token(3);
    const lists = [await contactList(world, owner.id, 4, { first: 7000 })];
    await expect(bulk(lists, shop)).rejects.toMatchObject({ body: { code: 'spend_cap_reached' } });
    expect(await left(id)).toBe(10);
  });
});

test('what a package paid names it in the ledger and at the message', async () => {
  await buy();
  const { id } = await send();
  expect(await entry(id)).toMatchObject({ amount: 0, package: OFFER.title });
  expect((await sending(id)).meta.billing).toMatchObject({ amount: 0, package: OFFER.title });
});

test('the probe of a tariff names the package that covers a message', async () => {
  const id = await buy({ units: 1 });
  const body = { type: 'sms' as const, sender: 'MIRTEA', recipient: phone(), text: TEXT };
  expect(await owner.api(tariffs.probe, { body })).toMatchObject({ PackageId: id, amount: price });
  expect(await owner.api(tariffs.probe, { body: { ...body, text: LONG } })).not.toHaveProperty(
    'PackageId',
  );
  expect(await left(id)).toBe(1);
});

describe('the owner of a package is notified', () => {
  const notified = () =>
    world.db
      .query<{ type: string; data: object }>(
        `select type, data from notifications where owner_id = $1 and channel = 'web' and type like 'Package%' order by id`,
        [owner.id],
      )
      .then((all) => all.map(({ type, data }) => ({ type, ...data })));

  test('when 80 % of it are used and when all are, once each', async () => {
    const id = await buy({ units: 10 });
    const sent: string[] = [];
    for (let i = 0; i < 7; i++) sent.push((await send()).id);
    expect(await notified()).toEqual([]);
    await send();
    const warning = { type: 'PackageWarning', id, title: OFFER.title, units: 10, left: 2 };
    expect(await notified()).toMatchObject([warning]);
    await world.api.get(ChargesService).refund(sent.slice(0, 2));
    for (let i = 0; i < 3; i++) await send();
    expect(await notified()).toMatchObject([warning]);
    await send();
    expect(await notified()).toMatchObject([warning, { type: 'PackageUsedUp', id, units: 10 }]);
    await world.api.get(ChargesService).refund(sent.slice(2, 3));
    await send();
    expect(await notified()).toHaveLength(2);
  });

  test('of many messages at once only that it is used up', async () => {
    const id = await buy({ units: 10 });
    const list = await contactList(world, owner.id, 10, { first: 8000 });
    await finished(owner, (await bulk([list])).id);
    expect((await notified()).map(({ type }) => type)).toEqual(['PackageUsedUp']);
    expect(await left(id)).toBe(0);
  });

  test('three days before its end of what is left, if it lasts for longer', async () => {
    const [id] = [await buy({ days: 4 }), await buy({ days: 3 })];
    const used = await buy({ units: 1, days: 4, types: ['viber'] });
    await world.db.query(`update message_packages set units_left = 0 where id = $1`, [used]);
    const endings = world.api.get(PackageEndingsService);
    await endings.notify();
    expect(await notified()).toEqual([]);
    world.clock.forward(DAY);
    await endings.notify();
    await endings.notify();
    const [row, ...others] = await notified();
    expect(row).toMatchObject({ type: 'PackageEnding', id, units: 10, left: 10 });
    expect(others).toEqual([]);
    await world.db.query(`update message_packages set units_left = 1 where id = $1`, [used]);
  });
});

describe('many at once', () => {
  test('singles and two bulks take each unit once, and pay for all others', async () => {
    const small = await buy({ units: 25, days: 5 });
    const large = await buy({ units: 60 });
    const lists = [
      await contactList(world, owner.id, 40, { first: 5000 }),
      await contactList(world, owner.id, 40, { first: 6000 }),
    ];
    const receipts = await Promise.all([
      ...Array.from({ length: 60 }, (_, i) => send({ text: i % 3 ? TEXT : LONG })),
      ...lists.map((list) => bulk([list])),
    ]);
    for (const { id } of receipts.slice(-2)) await finished(owner, id);
    // 60 singles of 80 units, and 80 others.
    const [used] = await world.db.query<{ covered: number; paid: number; messages: number }>(
      `select coalesce(sum(multiplier) filter (where package_id is not null), 0)::int as covered,
              coalesce(sum(multiplier) filter (where package_id is null), 0)::int as paid, count(*)::int as messages
         from billings where owner_id = $1 and source > 0`,
      [owner.id],
    );
    expect(used).toEqual({ covered: 85, paid: 75, messages: 140 });
    expect([await left(small), await left(large)]).toEqual([0, 0]);
    expect(await balance(world, owner.id)).toBeCloseTo(960 - 75 * price, 4);
  });

  test('without money as many are sent as there are units', async () => {
    owner = await sender(20);
    const id = await buy({ units: 50 });
    const list = await contactList(world, owner.id, 30, { first: 7000 });
    const [task, ...receipts] = await Promise.all([
      bulk([list]),
      ...Array.from({ length: 45 }, () => send()),
    ]);
    await until(async () => {
      const [row] = await world.db.query<{ state: string }>(
        `select state from tasks where id = $1`,
        [task.id],
      );
      return row!.state === 'completed' || row!.state === 'paused';
    }, 'the bulk to end or to wait for money');
    const { covered, paid } = await charged();
    expect(covered).toBe(50 - (await left(id)));
    expect(paid).toBe(0);
    const refused = receipts.filter(({ code }) => code === 'insufficient_funds').length;
    const [bulked] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from sendings where group_id = $1`,
      [task.id],
    );
    expect(45 - refused + bulked!.n).toBe(50);
    expect(await left(id)).toBe(0);
  });

  test('calls with one key buy one package', async () => {
    const { id: OfferId, price: asked } = await offer();
    const key = randomUUID();
    const headers = { 'Idempotency-Key': key };
    const bought = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        owner.api(packages.create, { body: { OfferId, price: asked }, headers }),
      ),
    );
    const ids = bought.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect((await owner.api(packages.find, {})).total).toBe(1);
    expect(await balance(world, owner.id)).toBe(980);
  });

  test('a balance buys no more packages than it covers', async () => {
    const { id: OfferId, price: asked } = await offer({ price: 300 });
    const bought = await Promise.allSettled(
      Array.from({ length: 6 }, () =>
        owner.api(packages.create, { body: { OfferId, price: asked } }),
      ),
    );
    expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await owner.api(packages.find, {})).total).toBe(3);
    expect(await balance(world, owner.id)).toBe(100);
  });
});

describe('offers', () => {
  const refusal = (who: Person, OfferId: string, asked: number, OwnerId?: string) =>
    who.api(packages.create, { body: { OfferId, price: asked, ...(OwnerId && { OwnerId }) } }).then(
      () => null,
      ({ body }: { body: { code: string } }) => body.code,
    );

  test('an account sees and buys what is offered in its currency, unless it is a customer of a reseller', async () => {
    const own = await offer({ title: 'Own' });
    const foreign = await offer({ title: 'Foreign', currency: 'EUR' });
    const ended = await offer({ title: 'Ended', isActive: false });
    const seen = async (who: Person) =>
      (await who.api(packageOffers.find, { query: { limit: 500 } })).data.map(({ id }) => id);
    expect(await seen(owner)).toContain(own.id);
    for (const { id } of [foreign, ended]) expect(await seen(owner)).not.toContain(id);
    expect(await seen(administrator)).toEqual(
      expect.arrayContaining([own.id, foreign.id, ended.id]),
    );
    const reseller = await sender(100, { level: 'reseller' });
    const customer = await sender(100, { resellerId: reseller.id });
    expect(await seen(reseller)).toContain(own.id);
    expect(await seen(customer)).toEqual([]);
    const page = await administrator.api(packageOffers.find, {
      query: { limit: 500, filter: { isActive: false } },
    });
    expect(page.data.map(({ id }) => id)).toContain(ended.id);
    expect(page.data.every(({ isActive }) => !isActive)).toBe(true);
    const got = (who: Person, { id }: { id: string }) =>
      who.api(packageOffers.get, { params: { id } }).then(
        ({ title }) => title,
        ({ body }: { body: { code: string } }) => body.code,
      );
    expect(await got(owner, own)).toBe('Own');
    expect(await got(administrator, ended)).toBe('Ended');
    for (const one of [foreign, ended]) expect(await got(owner, one)).toBe('not_found');
    expect(await got(customer, own)).toBe('not_found');
    expect(await refusal(customer, own.id, 20)).toBe('not_found');
    expect(await refusal(owner, foreign.id, 20)).toBe('not_found');
    expect(await refusal(owner, ended.id, 20)).toBe('not_found');
    expect(await refusal(reseller, own.id, 20, customer.id)).toBe('forbidden');
    expect(await refusal(reseller, own.id, 20)).toBeNull();
    expect(await refusal(await sender(19), own.id, 20)).toBe('insufficient_funds');
  });

  test('what was bought stays as it was, and another price than the shown one is refused', async () => {
    const { id: OfferId } = await offer();
    const { id } = await owner.api(packages.create, { body: { OfferId, price: 20 } });
    await administrator.api(packageOffers.replace, {
      params: { id: OfferId },
      body: { ...OFFER, title: 'Dearer', units: 5, price: 30, types: ['viber'] },
    });
    expect(await owner.api(packages.get, { params: { id } })).toMatchObject({
      title: 'Ten messages',
      units: 10,
      types: ['sms'],
      price: 20,
    });
    expect(await refusal(owner, OfferId, 20)).toBe('conflict');
    expect(await balance(world, owner.id)).toBe(980);
    await send();
    expect(await left(id)).toBe(9);
  });

  test('those who define offers see what was sold of them and what is left', async () => {
    const one = await offer();
    const sales = async (who: Person) =>
      (await who.api(packageOffers.get, { params: { id: one.id } })).sales;
    expect(await sales(administrator)).toEqual({ packages: 0, unitsLeft: 0 });
    for (let i = 0; i < 2; i++)
      await owner.api(packages.create, { body: { OfferId: one.id, price: 20 } });
    await send();
    const { id } = await owner.api(packages.create, { body: { OfferId: one.id, price: 20 } });
    await world.db.query(`update message_packages set ends_at = now() where id = $1`, [id]);
    expect(await sales(administrator)).toEqual({ packages: 3, unitsLeft: 19 });
    expect(await sales(owner)).toBeUndefined();
    const manager = await world.person({ level: 'manager' });
    expect(await sales(manager)).toBeUndefined();
    const { data } = await administrator.api(packageOffers.find, { query: { limit: 500 } });
    expect(data.find(({ id }) => id === one.id)?.sales).toEqual({ packages: 3, unitsLeft: 19 });
  });

  test('has a currency of money', async () => {
    for (const currency of ['XXX', 'XAU', 'ABC'])
      await expect(offer({ currency })).rejects.toMatchObject({
        body: { data: [{ field: 'currency', type: 'invalid_value' }] },
      });
  });

  test('a manager gives a package to an account that it looks after, and to no other', async () => {
    const manager = await world.person({ level: 'manager' });
    const customer = await sender(5, { managerId: manager.id });
    const { id: OfferId } = await offer();
    const given = await manager.api(packages.create, {
      body: { OfferId, price: 20, OwnerId: customer.id },
    });
    expect(given).toMatchObject({ OwnerId: customer.id, price: 0, unitsLeft: 10 });
    expect(await entry((await send({}, customer)).id, customer)).toMatchObject({
      amount: 0,
      PackageId: given.id,
    });
    expect(await balance(world, customer.id)).toBe(5);
    expect(await refusal(manager, OfferId, 20, owner.id)).toBe('not_found');
    expect(await refusal(manager, OfferId, 21, customer.id)).toBe('conflict');
  });
});
