import {
  ADMINISTRATOR_GRANTS,
  MAX_PURCHASE_PRICES,
  purchasePrices,
  sendings,
  storage,
  type PurchasePriceListInput,
  type Range,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../../../test/carrier.ts';
import { approve, contactList } from '../../../test/factories.ts';
import { until } from '../../../test/until.ts';
import { Workbook } from '../../../test/workbook.ts';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let administrator: Person;
let customer: Person;
let carrier: Carrier;
let channel: string;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  administrator = await world.person({ level: 'manager', grants });
  customer = await world.person({ balance: 100_000 });
  await approve(world, customer.id);
  carrier = await Carrier.start(world, ['sms', 'viber']);
  channel = carrier.name;
});
beforeEach(() => world.db.query(`delete from price_lists`).then(() => undefined));
afterAll(async () => {
  await carrier.stop();
  await world.stop();
});

type Price = PurchasePriceListInput['prices'][number];
const sms = (destination: string, price: number): Price => ({ type: 'sms', destination, price });
const call = (destination: string, price: number, first?: number, interval = first): Price => ({
  type: 'voice',
  destination,
  price,
  ...(first && interval && { byLength: { first, interval } }),
});
const create = (prices: Price[], more: Partial<PurchasePriceListInput> = {}) =>
  administrator.api(purchasePrices.create, {
    params: { channel },
    body: { currency: 'EUR', prices, ...more },
  });
const preview = async (text: string | Uint8Array, more: object = {}, name = 'prices.csv') => {
  const body = new FormData();
  body.set('file', new Blob([text as never]), name);
  const { key } = await administrator.api(storage.create, { body: body as never, query: {} });
  return administrator.api(purchasePrices.preview, {
    params: { channel },
    body: { from: { key }, currency: 'EUR', ...more },
  });
};
const send = async (recipient: string, text = 'Tea', type: 'sms' | 'viber' = 'sms') => {
  const body = { type, recipient, payload: { sender: 'MIRTEA', text } };
  return ((await customer.api(sendings.create, { body })) as SendingReceipt).id;
};
/** What was noted for the batch of a message, once it is submitted. */
const costOf = (id: string) =>
  until(async () => {
    const [row] = await world.db.query(
      `select c.mccmnc, c.messages, c.units, c.amount::float8 as amount, c.price::float8 as price, c.currency, c.owner_id = s.owner_id as "isOfOwner", c.channel
         from sendings s join message_costs c on c.batch_id = s.batch_id where s.id = $1`,
      [id],
    );
    return row;
  }, 'the cost');
/** Prices are reloaded after a second at the latest. */
const reloaded = () => new Promise((resolve) => setTimeout(resolve, 1100));

test('a list is stored with its prices, in force from its start, and audited', async () => {
  const created = await create([sms('25001', 0.0485), sms('*', 0.1)]);
  expect(created).toMatchObject({ ChannelId: channel, count: 2, isInForce: true, currency: 'EUR' });
  const later = await create([sms('*', 1)], { validFrom: '2100-01-01T00:00:00.000Z' });
  expect(later.isInForce).toBe(false);
  const { data, total } = await administrator.api(purchasePrices.find, {
    params: { channel },
    query: {},
  });
  expect([total, data.map(({ id, isInForce }) => [id, isInForce])]).toEqual([
    2,
    [
      [later.id, false],
      [created.id, true],
    ],
  ]);
  const params = { channel, id: created.id };
  expect((await administrator.api(purchasePrices.get, { params })).prices).toEqual([
    sms('*', 0.1),
    sms('25001', 0.0485),
  ]);
  await administrator.api(purchasePrices.remove, { params });
  await expect(administrator.api(purchasePrices.get, { params })).rejects.toMatchObject({
    status: 404,
  });
  const log = await world.db.query(
    `select action, before->>'priceList' as before, after->>'priceList' as after from audit_log where target_id = $1 and $2 in (before->>'priceList', after->>'priceList') order by id`,
    [channel, created.id],
  );
  expect(log).toEqual([
    { action: 'purchasePrices.create', before: null, after: created.id },
    { action: 'purchasePrices.remove', before: created.id, after: null },
  ]);
});

test('intervals of calls are stored, and read of a file with what they change', async () => {
  const prices = [call('KZ', 1), call('RU', 0.6, 60, 1), call('UZ', 0.3, 1)];
  const { id } = await create(prices);
  expect((await administrator.api(purchasePrices.get, { params: { channel, id } })).prices).toEqual(
    prices,
  );
  const file = [
    'Country;Rate per minute;Billing increment',
    'KZ;1,5;60/60',
    'RU;0,6;60/1',
    'UZ;0,3;6/6',
    'DE;0,2;every second',
    'RU;0,6;1/1',
  ].join('\n');
  expect(await preview(file, { type: 'voice' })).toMatchObject({
    prices: [call('KZ', 1.5, 60), call('RU', 0.6, 60, 1), call('UZ', 0.3, 6)],
    problems: [
      { n: 5, reason: 'intervals' },
      { n: 6, reason: 'repeated' },
    ],
    changes: { added: 0, removed: 0, raised: 1, lowered: 0, intervals: 1, unchanged: 1 },
    differences: [
      {
        kind: 'raised',
        type: 'voice',
        destination: 'KZ',
        before: { price: 1 },
        after: { price: 1.5, byLength: { first: 60, interval: 60 } },
      },
      {
        kind: 'intervals',
        type: 'voice',
        destination: 'UZ',
        before: { price: 0.3, byLength: { first: 1, interval: 1 } },
        after: { price: 0.3, byLength: { first: 6, interval: 6 } },
      },
    ],
  });
  // Other messages have none.
  expect(await preview(file)).toMatchObject({
    prices: [sms('KZ', 1.5), sms('RU', 0.6), sms('UZ', 0.3), sms('DE', 0.2)],
    refused: 0,
  });
});

test('single prices make a list with the others of the one that is in force then', async () => {
  await create([sms('25001', 0.05), sms('RU', 0.07)], { validFrom: '2026-01-01T00:00:00.000Z' });
  const later = { validFrom: '2100-02-01T00:00:00.000Z', isPartial: true };
  await create([sms('25001', 0.09)], { validFrom: '2100-01-01T00:00:00.000Z' });
  const pricesOf = async (more: Partial<PurchasePriceListInput>) => {
    const { id } = await create([sms('RU', 0.06), sms('KZ', 0.2)], more);
    return (await administrator.api(purchasePrices.get, { params: { channel, id } })).prices;
  };
  const given = [sms('KZ', 0.2), sms('RU', 0.06)];
  expect(await pricesOf({ isPartial: true })).toEqual([sms('25001', 0.05), ...given]);
  expect(await pricesOf(later)).toEqual([sms('25001', 0.09), ...given]);
  // Nothing is in force then.
  const early = { validFrom: '2020-01-01T00:00:00.000Z', isPartial: true };
  expect(await pricesOf(early)).toEqual(given);
  await expect(create([sms('RU', 1)], { ...later, currency: 'USD' })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'currency', type: 'unknown' }] },
  });
});

test('prices that are entered at once are all kept', async () => {
  await create([sms('*', 1)]);
  const added = [sms('25001', 0.1), sms('25002', 0.2), sms('25003', 0.3)];
  await Promise.all(added.map((one) => create([one], { isPartial: true })));
  const { data } = await administrator.api(purchasePrices.find, {
    params: { channel },
    query: { limit: 1 },
  });
  const params = { channel, id: data[0]!.id };
  const { isInForce, prices } = await administrator.api(purchasePrices.get, { params });
  expect([isInForce, prices]).toEqual([true, [sms('*', 1), ...added]]);
});

test('the lists around a time are found', async () => {
  const day = (n: number) => `2100-01-0${n}T00:00:00.000Z`;
  for (const n of [1, 2, 3, 4]) await create([sms('*', n)], { validFrom: day(n) });
  const found = async (validFrom: Range, direction: 'asc' | 'desc') => {
    const page = await administrator.api(purchasePrices.find, {
      params: { channel },
      query: { order: [{ field: 'validFrom', direction }], limit: 1, range: { validFrom } },
    });
    return [page.total, page.data.map((list) => list.validFrom)];
  };
  expect(await found({ $lt: day(3) }, 'desc')).toEqual([2, [day(2)]]);
  expect(await found({ $gt: day(2) }, 'asc')).toEqual([2, [day(3)]]);
});

test.each([
  [{ prices: [] }, 'prices'],
  [{ prices: [sms('RUS', 1)] }, 'prices.0.destination'],
  [{ prices: [sms('RU', -1)] }, 'prices.0.price'],
  [{ prices: [sms('RU', 0.0000001)] }, 'prices.0.price'],
  [{ prices: [sms('RU', 1), sms('RU', 2)] }, 'prices.1.destination'],
  [{ prices: [sms('RU', 1)], currency: 'eur' }, 'currency'],
  [{ prices: [{ ...sms('RU', 1), byLength: { first: 1, interval: 1 } }] }, 'prices.0.byLength'],
  [{ prices: [call('RU', 1, 3601, 1)] }, 'prices.0.byLength.first'],
])('%o is refused for %s', async ({ prices, ...more }, field) => {
  await expect(create(prices, more)).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field }] },
  });
});

test('as many prices of calls are taken as a list may have', async () => {
  const prices = Array.from({ length: MAX_PURCHASE_PRICES }, (_, i) =>
    call(`+7${String(9_000_000 + i)}`, 0.1, 60, 1),
  );
  const { id } = await create(prices);
  const list = await administrator.api(purchasePrices.get, { params: { channel, id } });
  expect(list.prices).toHaveLength(MAX_PURCHASE_PRICES);
});

test('another list cannot begin at the same time', async () => {
  const validFrom = '2026-01-01T00:00:00.000Z';
  await create([sms('*', 1)], { validFrom });
  await expect(create([sms('*', 2)], { validFrom })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'validFrom', type: 'unique' }] },
  });
});

const difference = (
  kind: string,
  destination: string,
  before: number | null,
  after: number | null,
) => ({
  kind,
  type: 'sms',
  destination,
  before: before === null ? null : { price: before },
  after: after === null ? null : { price: after },
});

test('a file is checked, compared and shown before it is stored', async () => {
  await create([sms('25001', 0.05), sms('25002', 0.05), sms('25099', 0.05), sms('KZ', 1)]);
  const file = [
    'Rates of March;;',
    'Network;MCC/MNC;Rate, EUR',
    'MTS;25001;0,04',
    'MegaFon;25002;0,06',
    'Beeline;25099;0,05',
    'Tele2;25020;0.07',
    'Nobody;250;',
    'MTS again;25001;0,09',
    'Somebody;99;1',
  ].join('\n');
  expect(await preview(file)).toMatchObject({
    prices: [sms('25001', 0.04), sms('25002', 0.06), sms('25099', 0.05), sms('25020', 0.07)],
    problems: [
      { n: 7, reason: 'price' },
      { n: 8, reason: 'repeated' },
      { n: 9, reason: 'destination' },
    ],
    refused: 3,
    changes: { added: 1, removed: 1, raised: 1, lowered: 1, intervals: 0, unchanged: 1 },
    differences: [
      difference('raised', '25002', 0.05, 0.06),
      difference('lowered', '25001', 0.05, 0.04),
      difference('added', '25020', null, 0.07),
      difference('removed', 'KZ', 1, null),
    ],
  });
  const partial = await preview('mccmnc,price\n25001,0.04\n', { isPartial: true });
  expect(partial.changes).toEqual({
    added: 0,
    removed: 0,
    raised: 0,
    lowered: 1,
    intervals: 0,
    unchanged: 3,
  });
  expect(partial.prices).toHaveLength(4);
  const { total } = await administrator.api(purchasePrices.find, {
    params: { channel },
    query: {},
  });
  expect(total).toBe(1);
});

const LATER = '2100-01-01T00:00:00.000Z';
const LATEST = '2100-02-01T00:00:00.000Z';

test('changes are compared with the list that is in force when they begin, and keep it', async () => {
  await create([sms('25001', 0.05), sms('KZ', 1)]);
  await create([sms('25001', 0.09), sms('KZ', 1)], { validFrom: LATER });
  const more = { isPartial: true, validFrom: LATEST };
  const { prices, fromFile, differences } = await preview('mccmnc,price\n25002,0.04\n', more);
  expect(prices).toEqual([sms('25001', 0.09), sms('KZ', 1), sms('25002', 0.04)]);
  expect(differences).toEqual([difference('added', '25002', null, 0.04)]);
  expect(fromFile).toEqual([sms('25002', 0.04)]);
  // Another list between the check and Save.
  await create([sms('UZ', 2)], { isPartial: true, validFrom: '2100-01-15T00:00:00.000Z' });
  const { id } = await create(fromFile, more);
  expect((await administrator.api(purchasePrices.get, { params: { channel, id } })).prices).toEqual(
    [sms('25001', 0.09), sms('25002', 0.04), sms('KZ', 1), sms('UZ', 2)],
  );
});

test('a check refuses what could not be stored: another currency, a time that is taken', async () => {
  await create([sms('KZ', 1)], { validFrom: LATER });
  const check = (more: object) => preview('mccmnc,price\n25001,0.04\n', more);
  const refused = (field: string, type: string) => ({
    status: 422,
    body: { data: [{ field, type }] },
  });
  const changes = { currency: 'USD', isPartial: true, validFrom: LATEST };
  await expect(check(changes)).rejects.toMatchObject(refused('currency', 'unknown'));
  await expect(check({ validFrom: LATER })).rejects.toMatchObject(refused('validFrom', 'unique'));
  expect(await check({ ...changes, isPartial: false })).toMatchObject({ changes: { added: 1 } });
});

test('of a workbook the first sheet with a header of prices is read, unless another one is named', async () => {
  const book = new Workbook();
  book.addWorksheet('Cover').addRow(['Rates of a carrier']);
  for (const [name, price] of [
    ['Prices', 0.04],
    ['Premium', 0.09],
  ] as const)
    book.addWorksheet(name).addRows([
      ['MCCMNC', 'Price'],
      ['25001', price],
    ]);
  const bytes = Buffer.from(await book.xlsx.writeBuffer());
  const check = (more?: object) => preview(bytes, more, 'prices.xlsx');
  const sheets = ['Cover', 'Prices', 'Premium'];
  expect(await check()).toMatchObject({ sheets, sheet: 'Prices', prices: [sms('25001', 0.04)] });
  expect(await check({ sheet: 'Premium' })).toMatchObject({ prices: [sms('25001', 0.09)] });
  await expect(check({ sheet: 'Cover' })).rejects.toMatchObject({
    body: { code: 'unreadable_file' },
  });
});

test.each(['country,operator\nRU,MTS\n', 'hello', '25001,0.05\n'])(
  'a file without a header of prices is refused: %j',
  async (text) => {
    await expect(preview(text)).rejects.toMatchObject({ body: { code: 'unreadable_file' } });
  },
);

test('a submit notes the price of the network by the segment, and what was charged', async () => {
  await create([sms('25001', 0.05), sms('250*', 0.07), { ...sms('*', 1), type: 'viber' }]);
  await reloaded();
  const mts = await send('+79161234567', 'x'.repeat(161));
  expect(await costOf(mts)).toMatchObject({
    mccmnc: '25001',
    messages: 1,
    units: 2,
    price: 0.05,
    currency: 'EUR',
    isOfOwner: true,
    channel,
  });
  const [charged] = await world.db.query(`select amount::float8 from sendings where id = $1`, [
    mts,
  ]);
  expect(await costOf(mts)).toMatchObject(charged as object);
  expect(await costOf(await send('+79261234567'))).toMatchObject({ price: 0.07, units: 1 });
  expect(await costOf(await send('+79161234567', 'x'.repeat(161), 'viber'))).toMatchObject({
    price: 1,
    units: 1,
  });
});

test('without a price the cost is null, not 0', async () => {
  await create([sms('KZ', 0.05)]);
  await reloaded();
  const id = await send('+79161234567');
  expect(await costOf(id)).toMatchObject({ price: null, currency: null, messages: 1, units: 1 });
});

test('what a carrier rejects costs nothing', async () => {
  await create([sms('*', 0.05)]);
  await reloaded();
  carrier.meanwhile = () => Promise.resolve({ result: 'rejected', code: 'bad_recipient' });
  const id = await send('+79161234567');
  await until(async () => {
    const [row] = await world.db.query(`select 1 from sendings where id = $1 and status = 5`, [id]);
    return row;
  }, 'the rejection');
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
  const noted = await world.db.query(
    `select c.messages, c.units, c.amount = s.amount as "isCharged" from message_costs c join sendings s on s.batch_id = c.batch_id where s.id = $1`,
    [id],
  );
  expect(noted).toEqual([{ messages: 0, units: 0, isCharged: true }]);
});

test('a bulk notes each of its messages once, in few rows', async () => {
  await create([sms('*', 0.05)]);
  await reloaded();
  const ListId = await contactList(world, customer.id, 300);
  const { id } = (await customer.api(sendings.create, {
    body: {
      type: 'sms',
      recipient: { include: [ListId] },
      payload: { sender: 'MIRTEA', text: 'Tea' },
    },
  })) as { id: string };
  await until(async () => {
    const [row] = await world.db.query<{ messages: number; units: number; rows: number }>(
      `select coalesce(sum(messages), 0)::int as messages, sum(units)::int as units, count(*)::int as rows
         from message_costs where batch_id in (select id from batches where task_id = $1)`,
      [id],
    );
    return row!.messages === 300 && row!.units === 300 && row!.rows <= 300;
  }, 'the costs of the bulk');
});
