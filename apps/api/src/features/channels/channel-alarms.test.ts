import { ADMINISTRATOR_GRANTS, notifications } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';
import { ChannelAlarms } from './channel-alarms.service.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { LimitTable } from './limit-table.ts';
import { ChannelTraffic } from './channel-traffic.service.ts';

let world: World;
let alarms: ChannelAlarms;
let administrator: Person;
let manager: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  alarms = world.api.get(ChannelAlarms, { strict: false });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
  customer = await world.person();
});
beforeEach(async () => {
  for (const table of ['channel_minutes', 'channel_receipts', 'channel_alarms', 'notifications'])
    await world.db.query(`delete from ${table}`);
  await world.db.query(
    `insert into channel_states (channel) values ('simulator') on conflict (channel) do nothing`,
  );
  await world.db.query(
    `update channel_states set failures = 0, failing_since = null, reported_at = null, full_at = 0 where channel = 'simulator'`,
  );
});
afterAll(() => world.stop());

const told = async (who = administrator) =>
  (await who.api(notifications.find, { query: { order: [], limit: 50 } as never })).data
    .filter(({ type }) => type.startsWith('ChannelAlarm'))
    .map(({ type, text }) => `${type}: ${text.replaceAll('\n', ' ')}`)
    .toReversed();
const ago = (minutes: number) => new Date(world.clock.now().getTime() - minutes * 60_000);
const receipts = (minutesAgo: number, delivered: number, failed: number, mccmnc = '25001') =>
  world.db.query(
    `insert into channel_receipts (channel, at, mccmnc, delivered, failed, times) values ('simulator', $1, $2, $3, $4, '{}')`,
    [ago(minutesAgo), mccmnc, delivered, failed],
  );

test('a channel that is down is told once, after a minute, and when it works again', async () => {
  await world.db.query(
    `update channel_states set failures = 3, failing_since = $1, error = 'answered 502' where channel = 'simulator'`,
    [world.clock.now()],
  );
  await alarms.check();
  expect(await told()).toEqual([]);
  world.clock.forward(61);
  await alarms.check();
  await alarms.check();
  const down = 'ChannelAlarm: simulator It takes no messages: answered 502';
  expect(await told()).toEqual([down]);
  expect(await told(manager)).toEqual([]);
  expect(await told(customer)).toEqual([]);
  world.clock.forward(240);
  await world.db.query(
    `update channel_states set failures = 0, failing_since = null where channel = 'simulator'`,
  );
  await alarms.check();
  await alarms.check();
  expect(await told()).toEqual([
    down,
    'ChannelAlarmEnded: simulator It takes messages again, after 5 min.',
  ]);
});

test('what ends before it is told is not told', async () => {
  await world.db.query(
    `update channel_states set failures = 1, failing_since = $1 where channel = 'simulator'`,
    [world.clock.now()],
  );
  await alarms.check();
  await world.db.query(`update channel_states set failures = 0 where channel = 'simulator'`);
  world.clock.forward(120);
  await alarms.check();
  expect(await told()).toEqual([]);
  expect(await world.db.query(`select 1 from channel_alarms`)).toEqual([]);
});

test('accepted messages without receipts are told', async () => {
  await world.db.query(`update channel_states set reported_at = $1 where channel = 'simulator'`, [
    ago(1000),
  ]);
  await world.db.query(
    `insert into channel_minutes (channel, at, accepted) values ('simulator', $1, 25)`,
    [ago(60)],
  );
  await alarms.check();
  await alarms.check();
  expect(await told()).toEqual([
    'ChannelAlarm: simulator No receipts in half an hour, though 25 messages were accepted.',
  ]);
  await receipts(1, 1, 0);
  await alarms.check();
  expect((await told()).at(-1)).toMatch(/^ChannelAlarmEnded: simulator Receipts arrive again/);
});

test('a share delivered that falls is told by network', async () => {
  await receipts(300, 900, 100);
  await receipts(300, 900, 100, '25002');
  await receipts(5, 30, 70);
  await receipts(5, 90, 10, '25002');
  await alarms.check();
  await alarms.check();
  expect(await told()).toEqual([
    'ChannelAlarm: simulator Network 25001: 30 % delivered in the last hour, 90 % in the day before.',
  ]);
});

test('a rate that is used up for long while messages wait is told', async () => {
  await world.db.query(`update channels set rate = 1 where name = 'simulator'`);
  await world.db.query(
    `insert into batches (owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, due_at, created_at, updated_at)
     values ($1, 'simulator', 1, 0, 3, 0, 7, uuidv7(), uuidv7(), $2, $2, now())`,
    [customer.id, ago(30)],
  );
  const full = () =>
    world.db.query(`update channel_states set full_at = $1 where channel = 'simulator'`, [
      world.clock.now().getTime() + 3_600_000,
    ]);
  await full();
  await alarms.check();
  world.clock.forward(601);
  await full();
  await alarms.check();
  expect(await told()).toEqual([
    'ChannelAlarm: simulator All of its rate is used, and 7 messages wait.',
  ]);
  await world.db.query(`update batches set stage = 5, closed_at = now()`);
  await alarms.check();
  expect((await told()).at(-1)).toMatch(/^ChannelAlarmEnded: simulator Its rate suffices again/);
  await world.db.query(`update channels set rate = null where name = 'simulator'`);
});

test('limits of senders and destinations that are used up while messages wait are told, and measured', async () => {
  const limits = [
    { sender: null, country: 'KZ', mccmnc: null, rate: 1, burst: null, perDay: null },
    { sender: 'TEA', country: null, mccmnc: null, rate: null, burst: null, perDay: 5 },
  ];
  await world.db.query(`update channels set limits = $1 where name = 'simulator'`, [
    JSON.stringify(limits),
  ]);
  const table = new LimitTable('simulator', limits);
  // Of the second one five are used today, and of the first nothing.
  await world.db.query(
    `insert into channel_limit_uses (channel, key, full_at, used_on, used) values ('simulator', $1, 0, $2, 5)`,
    [table.keys[1], world.clock.now().toISOString().slice(0, 10)],
  );
  const batch = (mark: string, size: number) =>
    world.db.query(
      `insert into batches (owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, due_at, created_at, updated_at, limits)
       values ($1, 'simulator', 1, 0, 3, 0, $4, uuidv7(), uuidv7(), $2, $2, now(), $3)`,
      [customer.id, ago(30), mark, size],
    );
  await batch(table.mark([1]), 3);
  await batch(table.mark([0, 1]), 4);
  await batch(table.mark([0]), 20);
  await batch(table.mark([]), 50);
  const measured = async () =>
    (await world.api.get(Metrics, { strict: false }).samples('channel_limited_messages')).find(
      ({ labels }) => labels?.channel === 'simulator',
    )?.value;
  expect(await measured()).toBe(7);
  await alarms.check();
  world.clock.forward(601);
  // Also when a day has ended meanwhile.
  await world.db.query(`update channel_limit_uses set used_on = $1 where channel = 'simulator'`, [
    world.clock.now().toISOString().slice(0, 10),
  ]);
  await alarms.check();
  expect(await told()).toEqual([
    'ChannelAlarm: simulator Limits of its senders and destinations are used up, and 7 messages wait for them.',
  ]);
  await world.db.query(`update channel_limit_uses set used = 4 where channel = 'simulator'`);
  await alarms.check();
  expect((await told()).at(-1)).toMatch(
    /^ChannelAlarmEnded: simulator Its limits of senders and destinations suffice again/,
  );
  expect(await measured()).toBe(0);
  await world.db.query(`update batches set stage = 5, closed_at = now()`);
  await world.db.query(`update channels set limits = '[]' where name = 'simulator'`);
  await world.db.query(`delete from channel_limit_uses where channel = 'simulator'`);
});

test('the traffic of a channel is counted by minute, network and time', async () => {
  const traffic = world.api.get(ChannelTraffic, { strict: false });
  const [batch] = await world.db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, due_at, submitted_at, created_at, updated_at)
     values ($1, 'simulator', 1, 0, 3, 3, 3, uuidv7(), uuidv7(), $2, $2, $2, now()) returning id::text`,
    [customer.id, new Date(world.clock.now().getTime() - 4000)],
  );
  traffic.submitted('simulator', 'accepted', 3);
  traffic.submitted('simulator', 'accepted', 2);
  traffic.submitted('simulator', 'throttled', 1);
  for (let i = 0; i < 2; i++) traffic.received(batch!.id, '25001', true);
  traffic.received(batch!.id, null, false);
  await traffic.flush();
  traffic.received(batch!.id, '25001', true);
  await traffic.flush();
  const sum = `select sum(accepted)::int as accepted, sum(throttled)::int as throttled from channel_minutes`;
  expect(await world.db.query(sum)).toEqual([{ accepted: 5, throttled: 1 }]);
  const rows = await world.db.query<{ mccmnc: string; times: number[] }>(
    `select mccmnc, sum(delivered)::int as delivered, sum(failed)::int as failed from channel_receipts group by mccmnc order by mccmnc`,
  );
  expect(rows).toEqual([
    { mccmnc: '', delivered: 0, failed: 1 },
    { mccmnc: '25001', delivered: 3, failed: 0 },
  ]);
  const [{ times }] = (await world.db.query(
    `select times from channel_receipts where mccmnc = ''`,
  )) as [{ times: number[] }];
  // Four seconds, and what the test took: up to five, or up to ten.
  expect(times[2]! + times[3]!).toBe(1);
});
