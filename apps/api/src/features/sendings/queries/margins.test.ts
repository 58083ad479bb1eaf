import {
  ADMINISTRATOR_GRANTS,
  margins,
  purchasePrices,
  sendings,
  type MarginRow,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../../../../test/carrier.ts';
import { approve } from '../../../../test/factories.ts';
import { until } from '../../../../test/until.ts';
import { type Person, World } from '../../../../test/world.ts';
import { MarginsService } from './margins.service.ts';

let world: World;
let administrator: Person;
let manager: Person;
let customer: Person;
let stranger: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager', grants: { add: ['margins.get'] } });
  customer = await world.person({ balance: 100_000, managerId: manager.id });
  stranger = await world.person({ balance: 100_000 });
  for (const { id } of [customer, stranger]) await approve(world, id);
  carrier = await Carrier.start(world, ['sms', 'viber']);
  await administrator.api(purchasePrices.create, {
    params: { channel: carrier.name },
    body: {
      currency: 'RUB',
      validFrom: '2020-01-01T00:00:00.000Z',
      prices: [
        { type: 'sms', destination: '25001', price: 0.1 },
        { type: 'sms', destination: 'RU', price: 0.25 },
      ],
    },
  });
});
afterAll(async () => {
  await carrier.stop();
  await world.stop();
});

const DAY_MS = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** The days that this test may run in. */
const START = Date.now();
const PERIOD = { from: dayOf(START), to: dayOf(START + DAY_MS) };
const send = async (
  who: Person,
  recipient: string,
  text: string,
  type: 'sms' | 'viber' = 'sms',
) => {
  const body = { type, recipient, payload: { sender: 'MIRTEA', text } };
  const { id } = (await who.api(sendings.create, { body })) as SendingReceipt;
  const noted = await until(async () => {
    const [row] = await world.db.query<{ amount: number }>(
      `select s.amount::float8 as amount from message_costs c join sendings s on s.batch_id = c.batch_id where s.id = $1`,
      [id],
    );
    return row;
  }, 'the cost');
  return { id, ...noted };
};
const shown = async (who: Person, query: object = {}) =>
  (await who.api(margins.get, { query: { ...PERIOD, ...query } })).data;
const row = (rows: MarginRow[], key: string | null, costCurrency: string | null = 'RUB') =>
  rows.find((one) => one.key === key && one.costCurrency === costCurrency);

test('price, cost and margin are summed by account, channel, country, operator, type and day', async () => {
  const mts = await send(customer, '+79161234567', 'x'.repeat(161));
  const megafon = await send(customer, '+79261234567', 'Tea');
  const viber = await send(customer, '+79161234567', 'Tea', 'viber');
  const other = await send(stranger, '+79161234567', 'Tea');
  const sum = mts.amount + megafon.amount;
  expect(sum).toBeGreaterThan(0);
  const mine = { OwnerId: customer.id };
  expect(row(await shown(administrator, { by: 'account' }), customer.id)).toEqual({
    key: customer.id,
    name: customer.username,
    messages: 2,
    units: 3,
    currency: 'RUB',
    amount: sum,
    refunded: 0,
    costCurrency: 'RUB',
    cost: 0.45,
    margin: Number((sum - 0.45).toFixed(6)),
  });
  const unknown = row(await shown(administrator, { by: 'type', ...mine }), 'viber', null);
  expect(unknown).toMatchObject({ messages: 1, amount: viber.amount, cost: null, margin: null });
  expect(row(await shown(administrator, { by: 'type', ...mine }), 'sms')).toMatchObject({
    messages: 2,
    cost: 0.45,
  });
  expect(row(await shown(administrator, { by: 'country', ...mine }), 'RU')).toMatchObject({
    messages: 2,
    cost: 0.45,
  });
  const operators = await shown(administrator, { by: 'operator', ...mine });
  expect(row(operators, '25001')).toMatchObject({ name: 'MTS', units: 2, cost: 0.2 });
  expect(row(operators, '25002')).toMatchObject({ units: 1, cost: 0.25 });
  const channel = { by: 'channel', ChannelId: carrier.name };
  expect(row(await shown(administrator, channel), carrier.name)).toMatchObject({
    messages: 3,
    cost: 0.55,
    amount: Number((sum + other.amount).toFixed(4)),
  });
  const days = await shown(administrator, { by: 'day', ...mine, type: 'sms' });
  expect(days.reduce((n, { messages }) => n + messages, 0)).toBe(2);
  for (const { key } of days) expect([PERIOD.from, PERIOD.to]).toContain(key);
  expect(await shown(administrator, { ...mine, mccmnc: '25001', type: 'sms' })).toHaveLength(1);
  expect(await shown(administrator, { ...mine, country: 'KZ' })).toEqual([]);
});

test('a manager sees the accounts that it looks after, and no others', async () => {
  const rows = await shown(manager, { by: 'account' });
  expect(rows.map(({ key }) => key)).toContain(customer.id);
  expect(rows.map(({ key }) => key)).not.toContain(stranger.id);
  const { totals } = await manager.api(margins.get, { query: PERIOD });
  expect(totals.find(({ costCurrency }) => costCurrency === 'RUB')).toMatchObject({ messages: 2 });
  await expect(shown(manager, { OwnerId: stranger.id })).rejects.toMatchObject({ status: 404 });
});

test('refunds are subtracted, but not of what no carrier had; a rejected message leaves nothing', async () => {
  const who = await world.person({ balance: 100_000 });
  await approve(world, who.id);
  const mine = { OwnerId: who.id, by: 'account' };
  carrier.meanwhile = () => Promise.resolve({ result: 'rejected', code: 'bad_recipient' });
  const rejected = await send(who, '+79161234567', 'Tea');
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
  await until(async () => {
    const [entry] = await world.db.query(`select 1 from billings where id = $1 and status = 2`, [
      rejected.id,
    ]);
    return entry;
  }, 'the refund');
  expect(row(await shown(administrator, mine), who.id)).toMatchObject({
    messages: 0,
    amount: rejected.amount,
    refunded: rejected.amount,
    cost: 0,
    margin: 0,
  });
});

test('sums of ended days are kept, and say the same', async () => {
  const who = await world.person({ balance: 100_000 });
  await approve(world, who.id);
  await send(who, '+79161234567', 'Tea');
  const yesterday = dayOf(START - DAY_MS);
  await world.db.query(
    `update message_costs set submitted_at = ($1::date + interval '12 hours') at time zone 'UTC' where owner_id = $2`,
    [yesterday, who.id],
  );
  const query = { from: yesterday, to: yesterday, by: 'account', OwnerId: who.id };
  const before = await shown(administrator, query);
  expect(before).toMatchObject([{ messages: 1, cost: 0.1 }]);
  const service = world.api.get(MarginsService, { strict: false });
  world.clock.forward(2 * 86_400);
  await service.keepEndedDays();
  const kept = await world.db.query<{ n: number }>(
    `select count(*)::int as n from margins where owner_id = $1`,
    [who.id],
  );
  expect(kept).toEqual([{ n: 1 }]);
  await world.db.query(`delete from message_costs where owner_id = $1`, [who.id]);
  expect(await shown(administrator, query)).toEqual(before);
});

test.each([
  { from: '2026-02-01', to: '2026-01-01' },
  { from: '2025-01-01', to: '2026-06-01' },
  { from: 'x', to: '2026-06-01' },
  { by: 'cost' },
  { mccmnc: "25001' or 1" },
])('%o is refused', async (query) => {
  await expect(shown(administrator, query)).rejects.toMatchObject({ status: 422 });
});
