import {
  ADMINISTRATOR_GRANTS,
  routes,
  shareShifts,
  type Route,
  type RouteInput,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusal } from '../../../test/refusal.ts';
import { type Person, World } from '../../../test/world.ts';
import { ChannelTraffic } from '../channels/channel-traffic.service.ts';
import { ShareShiftsService } from './share-shifts.service.ts';

const STEP_SECONDS = 600;
let world: World;
let administrator: Person;
let customer: Person;
let shifts: ShareShiftsService;
let traffic: ChannelTraffic;
let a: string;
let b: string;

beforeAll(async () => {
  world = await World.start();
  shifts = world.api.get(ShareShiftsService, { strict: false });
  traffic = world.api.get(ChannelTraffic, { strict: false });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  customer = await world.person();
});
afterAll(() => world.stop());
beforeEach(async () => {
  [a, b] = await Promise.all([channel(), channel()]);
  toNextStep();
});
afterEach(async () => {
  await world.db.query(`delete from routes`);
});

/** A minute into the next ten minutes: a test ends within them. */
function toNextStep(): void {
  const ms = world.clock.now().getTime();
  world.clock.forward((STEP_SECONDS * 1000 - (ms % (STEP_SECONDS * 1000))) / 1000 + 60);
}
async function channel(): Promise<string> {
  const name = `channel-${randomUUID().slice(0, 8)}`;
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'simulator', '{sms}', 1, '{}')`,
    [name],
  );
  world.forgetChannels();
  return name;
}
const shared = async (over: Partial<RouteInput> = {}): Promise<Route> => {
  const channels = [a, b].map((ChannelId) => ({ ChannelId, weight: 1 }));
  const body = { title: 'Codes', channels, isWeighted: true, shiftsShares: true, ...over };
  return administrator.api(routes.create, { body });
};
const change = ({ id }: Route, body: Partial<RouteInput>) =>
  administrator.api(routes.update, { params: { id }, body });
/** Final receipts of a channel now, some seconds after the submit. */
const receipts = async (name: string, delivered: number, failed: number, seconds = 2) => {
  const submittedAt = new Date(world.clock.now().getTime() - seconds * 1000);
  const [batch] = await world.db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, due_at, submitted_at, created_at, updated_at)
     values ($1, $2, 1, 0, 3, 3, $3, uuidv7(), uuidv7(), $4, $4, $4, now()) returning id::text`,
    [customer.id, name, delivered + failed, submittedAt],
  );
  for (let i = 0; i < delivered; i++) traffic.received(batch!.id, '25001', true);
  for (let i = 0; i < failed; i++) traffic.received(batch!.id, '25001', false);
  await traffic.flush();
};
/** Ten minutes pass, and are judged. */
const pass = async () => {
  toNextStep();
  await shifts.shift();
};
const sharesOf = async ({ id }: Route) => {
  const { shares } = await administrator.api(routes.get, { params: { id } });
  return shares.map(({ share }) => share);
};
const told = async (query: object = {}) => {
  const page = await administrator.api(shareShifts.find, { query: query as never });
  return page.data;
};
const version = async () =>
  (await world.db.query<{ version: number }>(`select version from route_version`))[0]!.version;

test('a channel that delivers worse loses share to the other, and it is told why', async () => {
  const route = await shared();
  expect(await sharesOf(route)).toEqual([500, 500]);
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  const before = await version();
  await pass();
  expect(await sharesOf(route)).toEqual([400, 600]);
  expect(await version()).toBe(before + 1);
  const about = { route: { id: route.id, title: 'Codes' }, before: 500 };
  expect(await told({ filter: { RouteId: [route.id] } })).toMatchObject([
    { ...about, ChannelId: b, after: 600, reason: 'others', figures: null },
    {
      ...about,
      ChannelId: a,
      after: 400,
      reason: 'delivery',
      figures: { own: 0.6, others: 0.95, count: 100 },
    },
  ]);
  expect(await told({ filter: { ChannelId: [a] } })).toHaveLength(1);
  const at = (minutes: number) =>
    new Date(world.clock.now().getTime() + minutes * 60_000).toISOString();
  expect(
    await told({ filter: { ChannelId: [a] }, range: { createdAt: { $gt: at(-1) } } }),
  ).toHaveLength(1);
  expect(await told({ filter: { ChannelId: [a] }, range: { createdAt: { $gt: at(1) } } })).toEqual(
    [],
  );
});

test('a channel whose receipts are late for the route loses share', async () => {
  const patient = await shared({ lateAfter: 120 });
  const hasty = await shared({ lateAfter: 60 });
  await receipts(a, 100, 0, 90);
  await receipts(b, 100, 0);
  await pass();
  expect(await sharesOf(patient)).toEqual([500, 500]);
  expect(await sharesOf(hasty)).toEqual([400, 600]);
  const [shift] = await told({ filter: { ChannelId: [a] } });
  expect(shift).toMatchObject({ reason: 'late', figures: { own: 0, others: 1, count: 100 } });
});

test('a channel whose messages are accepted and not reported loses share when they are late', async () => {
  const route = await shared();
  await world.db.query(
    `insert into channel_states (channel, reported_at) values ($1, $2) on conflict (channel) do update set reported_at = excluded.reported_at`,
    [a, world.clock.now()],
  );
  traffic.submitted(a, 'accepted', 80);
  await receipts(b, 100, 0);
  await pass();
  expect(await sharesOf(route)).toEqual([500, 500]);
  await receipts(b, 100, 0);
  await pass();
  expect(await sharesOf(route)).toEqual([400, 600]);
  const [shift] = await told({ filter: { ChannelId: [a] } });
  expect(shift).toMatchObject({ reason: 'silent', figures: { own: 0, count: 80 } });
  // What is reported is not missed.
  traffic.submitted(a, 'accepted', 80);
  await receipts(a, 80, 0);
  await receipts(b, 100, 0);
  await pass();
  await receipts(b, 100, 0);
  await pass();
  expect(
    (await told({ filter: { ChannelId: [a] } })).filter(({ reason }) => reason === 'silent'),
  ).toHaveLength(1);
});

test('ten minutes are judged once, also by two processes at a time', async () => {
  const route = await shared();
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  toNextStep();
  await Promise.all([shifts.shift(), shifts.shift()]);
  await shifts.shift();
  expect(await sharesOf(route)).toEqual([400, 600]);
});

test('shares go back when the channel delivers again, or an hour after it was last found poor', async () => {
  const route = await shared();
  for (let n = 0; n < 2; n++) {
    await receipts(a, 60, 40);
    await receipts(b, 95, 5);
    await pass();
  }
  expect(await sharesOf(route)).toEqual([300, 700]);
  await receipts(a, 95, 5);
  await receipts(b, 95, 5);
  await pass();
  expect(await sharesOf(route)).toEqual([350, 650]);
  // Four quiet steps leave it as it is; it was last found poor an hour before the next one.
  for (let n = 0; n < 4; n++) await pass();
  expect(await sharesOf(route)).toEqual([350, 650]);
  await pass();
  expect(await sharesOf(route)).toEqual([400, 600]);
  const [shift] = await told({ filter: { ChannelId: [a] } });
  expect(shift).toMatchObject({ before: 350, after: 400, reason: 'back', figures: null });
});

test.each<[string, Partial<RouteInput>, number[]]>([
  ['other weights', { channels: [] }, [750, 250]],
  ['being switched off', { isActive: false }, [500, 500]],
])('shares begin anew with %s', async (_, body, expected) => {
  const route = await shared();
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  await change(route, { title: 'Renamed', lateAfter: 30 });
  expect(await sharesOf(route)).toEqual([400, 600]);
  const channels = [
    { ChannelId: a, weight: 3 },
    { ChannelId: b, weight: 1 },
  ];
  await change(route, body.channels ? { channels } : body);
  expect(await sharesOf(route)).toEqual(expected);
});

test('a route that does not allow it keeps its weights, however its channels deliver', async () => {
  const fixed = await shared({ shiftsShares: false });
  const ordered = await shared({ isWeighted: false });
  const before = await version();
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  expect(await told()).toEqual([]);
  expect(await version()).toBe(before);
  expect(await sharesOf(fixed)).toEqual([]);
  expect(await sharesOf(ordered)).toEqual([]);
});

test('a channel that is down or off is not judged', async () => {
  const route = await shared();
  await world.db.query(`update channels set is_active = false where name = $1`, [a]);
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  await world.db.query(`update channels set is_active = true where name = $1`, [a]);
  await world.db.query(
    `insert into channel_states (channel, failures) values ($1, 1) on conflict (channel) do update set failures = 1`,
    [a],
  );
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  expect(await sharesOf(route)).toEqual([500, 500]);
});

test('the probe says by which shares the route chooses', async () => {
  await shared();
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  world.forgetChannels();
  const body = { type: 'sms' as const, sender: 'TEA', recipient: '+79161234567' };
  const { channels } = await administrator.api(routes.probe, { body });
  expect(
    channels
      .map(({ name, weight, share }) => ({ name, weight, share }))
      .toSorted((x, y) => x.share! - y.share!),
  ).toEqual([
    { name: a, weight: 1, share: 400 },
    { name: b, weight: 1, share: 600 },
  ]);
});

test('the log keeps the last 500 changes of a route, for 90 days', async () => {
  const route = await shared();
  const fill = (count: number, daysAgo: number) =>
    world.db.query(
      `insert into share_shifts (id, route_id, channel, before, after, reason)
       select uuidv7(($3::float8 * -1 || ' days')::interval), $1, 'old', 1, 2, 'back' from generate_series(1, $2)`,
      [route.id, count, daysAgo],
    );
  await fill(600, 1);
  await receipts(a, 60, 40);
  await receipts(b, 95, 5);
  await pass();
  expect(await told({ limit: 500 })).toHaveLength(500);
  expect((await told()).map(({ ChannelId }) => ChannelId)).toEqual(expect.arrayContaining([a, b]));
  await world.db.query(`delete from share_shifts`);
  await fill(3, 91);
  await fill(2, 89);
  await shifts.deleteOld();
  expect(await told()).toHaveLength(2);
});

test('only administrators see why shares have changed', async () => {
  const manager = await world.person({ level: 'manager' });
  for (const person of [manager, customer])
    expect(await refusal(person.api(shareShifts.find))).toBe('forbidden');
});
