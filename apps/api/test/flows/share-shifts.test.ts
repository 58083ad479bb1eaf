import { ADMINISTRATOR_GRANTS, routes, sendings, type Route } from '@heliograph/contract';
import { channelOrder, shareOf } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { ShareShiftsService } from '../../src/features/routes/share-shifts.service.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

const STEP_MS = 600_000;
/** Messages of ten minutes: a fifth of them are still enough to judge a channel by. */
const PEOPLE = 500;
let world: World;
let administrator: Person;
let owner: Person;
let people: string;
let worse: Carrier;
let better: Carrier;

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  people = await contactList(world, owner.id, PEOPLE);
  worse = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  better = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  toNextStep();
  return async () => {
    const { data } = await administrator.api(routes.find);
    for (const { id } of data) await administrator.api(routes.remove, { params: { id } });
    worse.stop();
    better.stop();
  };
});

/** A minute into the next ten minutes: a round ends within them. */
function toNextStep(): void {
  const ms = world.clock.now().getTime();
  world.clock.forward((STEP_MS - (ms % STEP_MS)) / 1000 + 60);
}
const shared = async (): Promise<Route> => {
  const channels = [worse, better].map(({ name }) => ({ ChannelId: name, weight: 1 }));
  const body = { title: 'Shared', channels, isWeighted: true, shiftsShares: true };
  const route = await administrator.api(routes.create, { body });
  world.forgetChannels();
  return route;
};
const bulk = async (): Promise<string> => {
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type: 'sms', payload, recipient: { include: [people] } } as never;
  return ((await owner.api(sendings.create, { body })) as { id: string }).id;
};
/** Final receipts of a channel that are counted. */
const counted = async ({ name }: Carrier): Promise<number> => {
  const [row] = await world.db.query<{ n: number }>(
    `select coalesce(sum(delivered + failed), 0)::int as n from channel_receipts where channel = $1`,
    [name],
  );
  return row!.n;
};
/** Reports all that a carrier took since; every tenth message fails, or every second one. */
const report = async (carrier: Carrier, from: number, failing: number): Promise<void> => {
  const statuses = carrier.taken
    .slice(from)
    .map((reference, i) => ({ reference, status: i % failing ? 'delivered' : 'failed' }) as const);
  for (let i = 0; i < statuses.length; i += 100)
    expect((await carrier.report(statuses.slice(i, i + 100))).status).toBe(200);
};
/** A bulk in ten minutes, of whose messages the worse channel delivers some. Returns how many it was given. */
const round = async (failing: number): Promise<number> => {
  const before = [worse.taken.length, better.taken.length] as const;
  await bulk();
  const all = before[0] + before[1] + PEOPLE;
  await until(
    () => Promise.resolve(worse.taken.length + better.taken.length === all),
    'all to be taken',
  );
  await report(worse, before[0], failing);
  await report(better, before[1], 10);
  await until(
    async () => (await counted(worse)) + (await counted(better)) === all,
    'all receipts to be counted',
  );
  toNextStep();
  await world.api.get(ShareShiftsService, { strict: false }).shift();
  world.forgetChannels();
  return worse.taken.length - before[0];
};
const shareOfWorse = async ({ id }: Route) =>
  (await administrator.api(routes.get, { params: { id } })).shares[0]!.share;

test('traffic moves away from a channel that fails much, and goes back when it is well', async () => {
  const route = await shared();
  const atFirst = await round(2);
  expect(await shareOfWorse(route)).toBe(400);
  await round(2);
  await round(2);
  expect(await shareOfWorse(route)).toBe(200);
  const later = await round(10);
  // About 250 and 100 of 500: by chance neither comes near to 175.
  expect([atFirst > 175, later > 175]).toEqual([true, false]);
  expect(await shareOfWorse(route)).toBe(250);
  await round(10);
  expect(await shareOfWorse(route)).toBe(300);
}, 300_000);

test('what waits moves with the shares', async () => {
  const route = await shared();
  for (const { name } of [worse, better]) {
    await world.db.query(`update channels set rate = 0.001, burst = 1 where name = $1`, [name]);
    await world.db.query(
      `insert into channel_states (channel, full_at) values ($1, $2) on conflict (channel) do update set full_at = excluded.full_at`,
      [name, world.clock.now().getTime() + 1e9],
    );
    await world.db.query(
      `insert into channel_receipts (channel, at, mccmnc, delivered, failed, times) values ($1, $2, '25001', $3, 50, '{}')`,
      [
        name,
        new Date(Math.floor(world.clock.now().getTime() / STEP_MS) * STEP_MS),
        name === worse.name ? 50 : 950,
      ],
    );
  }
  world.forgetChannels();
  const task = await bulk();
  const waiting = () =>
    world.db.query<{ id: string; channel: string; version: number }>(
      `select s.id, b.channel, b.route_version as version from sendings s join batches b on b.id = s.batch_id
        where s.group_id = $1 and b.stage = 0`,
      [task],
    );
  await until(async () => (await waiting()).length === PEOPLE, 'the messages');
  const [{ version }] = (await world.db.query<{ version: number }>(
    `select version from route_version`,
  )) as [{ version: number }];
  toNextStep();
  await world.api.get(ShareShiftsService, { strict: false }).shift();
  world.forgetChannels();
  expect(await shareOfWorse(route)).toBe(400);
  const labels = { route: route.id, title: 'Shared' };
  const metrics = world.api.get(Metrics);
  expect(await metrics.samples('route_share')).toEqual([
    { labels: { ...labels, channel: worse.name, by: 'deliveries' }, value: 0.4 },
    { labels: { ...labels, channel: worse.name, by: 'weights' }, value: 0.5 },
    { labels: { ...labels, channel: better.name, by: 'deliveries' }, value: 0.6 },
    { labels: { ...labels, channel: better.name, by: 'weights' }, value: 0.5 },
  ]);
  await until(
    async () => (await waiting()).every((one) => one.version === version + 1),
    'the decisions',
  );
  const channels = [worse, better].map(({ name }, i) => ({
    ChannelId: name,
    weight: 1,
    share: [400, 600][i]!,
  }));
  const rows = await waiting();
  expect(rows).toHaveLength(PEOPLE);
  for (const { id, channel } of rows)
    expect(channel).toBe(channelOrder({ channels, isWeighted: true }, shareOf(id))[0]);
  await administrator.api(routes.update, {
    params: { id: route.id },
    body: { shiftsShares: false },
  });
  expect(await metrics.samples('route_share')).toEqual([]);
});
