import { ADMINISTRATOR_GRANTS, routes, sendings, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  DispatchStore,
  type LeasedBatch,
} from '../../src/features/sendings/dispatch/dispatch.store.ts';
import { ReclaimService } from '../../src/features/sendings/dispatch/reclaim.service.ts';
import { RoutedBatchesService } from '../../src/features/sendings/dispatch/routed-batches.service.ts';
import { PRIORITIES } from '../../src/features/sendings/priorities.ts';
import { Carrier } from '../carrier.ts';
import { Db } from '../../src/core/db/db.ts';
import { RoutingService } from '../../src/features/sendings/rules/routing.service.ts';
import { approve, problems } from '../factories.ts';
import { statementsOf } from '../statements.ts';
import { type Person, World } from '../world.ts';

/** Without a worker: each of its steps is taken by the test, which stops between any two of them. */
let world: World;
let owner: Person;
let administrator: Person;
let first: Carrier;
let second: Carrier;

const LEASE_MS = 60_000;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: String(LEASE_MS / 1000) });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false`);
  [first, second] = [await Carrier.start(world, ['sms']), await Carrier.start(world, ['sms'])];
});

const service = <T>(type: abstract new (...args: never[]) => T): T =>
  world.api.get(type as never, { strict: false });
const addRoute = async (...carriers: Carrier[]) => {
  const channels = carriers.map(({ name: ChannelId }) => ({ ChannelId }));
  const route = await administrator.api(routes.create, {
    body: { title: 'Route', channels, OwnerIds: [owner.id] },
  });
  world.forgetChannels();
  return route;
};
const send = async (): Promise<string> => {
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type: 'sms', payload, recipient: '+79161234567' } as never;
  return ((await owner.api(sendings.create, { body })) as SendingReceipt).id;
};
const batchOf = async (id: string) => {
  const [row] = await world.db.query<{ channel: string; stage: number; lease: number }>(
    `select b.channel, b.stage, b.lease from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!;
};
const lease = async (channel: string): Promise<LeasedBatch> => {
  const now = world.clock.now();
  const [batch] = await service(DispatchStore).lease(channel, {
    now,
    until: new Date(now.getTime() + LEASE_MS),
    priority: PRIORITIES.bulk,
    except: null,
    messages: 100,
    segments: Infinity,
    maxSegments: Infinity,
    after: null,
  });
  return batch!;
};
const startSubmit = (batch: LeasedBatch) =>
  service(DispatchStore).startSubmit([batch], new Date(world.clock.now().getTime() + LEASE_MS));
const switchOff = async (carrier: Carrier) => {
  await world.db.query(`update channels set is_active = false where name = $1`, [carrier.name]);
  world.forgetChannels();
};
const failover = () => service(RoutedBatchesService).failover();
const reclaim = () => {
  world.clock.forward(LEASE_MS / 1000 + 1);
  return service(ReclaimService).reclaimExpiredLeases();
};

test('a batch is moved before it is leased, and after the worker that leased it is gone, not between', async () => {
  await addRoute(first, second);
  const id = await send();
  const leased = await lease(first.name);
  await switchOff(first);
  await failover();
  expect(await batchOf(id)).toMatchObject({ channel: first.name, stage: 1 });
  await reclaim();
  await failover();
  expect(await batchOf(id)).toMatchObject({ channel: second.name, stage: 0 });
  // The worker was only slow: nothing of the batch is its to submit.
  expect(await startSubmit(leased)).toEqual(new Set());
  const again = await lease(second.name);
  expect(await startSubmit(leased)).toEqual(new Set());
  expect(await startSubmit(again)).toEqual(new Set([again.id]));
});

test('a batch whose submit has begun is never moved, whatever became of its worker', async () => {
  const route = await addRoute(first, second);
  const id = await send();
  expect((await startSubmit(await lease(first.name))).size).toBe(1);
  await switchOff(first);
  await failover();
  expect(await batchOf(id)).toMatchObject({ channel: first.name, stage: 2 });
  await reclaim();
  await failover();
  await administrator.api(routes.update, {
    params: { id: route.id },
    body: { channels: [{ ChannelId: second.name }] },
  });
  world.forgetChannels();
  await service(RoutedBatchesService).routeOutdated();
  await failover();
  expect((await batchOf(id)).channel).toBe(first.name);
  expect(await problems(world)).toEqual([]);
});

test('a batch that was leased before a route changed goes by the new one; a test of a channel by its own', async () => {
  const route = await addRoute(first);
  const id = await send();
  const leased = await lease(first.name);
  await administrator.api(routes.update, {
    params: { id: route.id },
    body: { channels: [{ ChannelId: second.name }] },
  });
  world.forgetChannels();
  expect(await service(RoutedBatchesService).keepCurrent([leased])).toEqual([]);
  expect(await batchOf(id)).toMatchObject({ channel: second.name, stage: 0 });
  expect(await startSubmit(leased)).toEqual(new Set());
  // A change that means nothing to a batch leaves it leased.
  const again = await lease(second.name);
  await administrator.api(routes.update, { params: { id: route.id }, body: { title: 'Renamed' } });
  world.forgetChannels();
  expect(await service(RoutedBatchesService).keepCurrent([again])).toEqual([again]);
  expect(await startSubmit(again)).toEqual(new Set([again.id]));
  const test = { ...again, priority: PRIORITIES.test, routeVersion: 0 };
  expect(await service(RoutedBatchesService).keepCurrent([test])).toEqual([test]);
});

test('two workers that move and lease at the same moment leave one owner', async () => {
  await addRoute(first, second);
  const ids = [];
  for (let n = 0; n < 10; n++) ids.push(await send());
  await switchOff(first);
  // Only the tests of a channel that is off are leased: it is on for the lease.
  await world.db.query(`update channels set is_active = true where name = $1`, [first.name]);
  const now = world.clock.now();
  const request = {
    now,
    until: new Date(now.getTime() + LEASE_MS),
    priority: PRIORITIES.bulk,
    except: null,
    messages: 3,
    segments: Infinity,
    maxSegments: Infinity,
    after: null,
  };
  const [one, , other] = await Promise.all([
    service(DispatchStore).lease(first.name, request),
    failover(),
    service(DispatchStore).lease(first.name, request),
  ]);
  const owned = new Set([...one, ...other].map((batch) => batch.id));
  expect(owned.size).toBe(one.length + other.length);
  const rows = await world.db.query<{ id: string; channel: string; stage: number }>(
    `select b.id, b.channel, b.stage from batches b join sendings s on s.batch_id = b.id where s.id = any($1)`,
    [ids],
  );
  for (const row of rows)
    expect(row).toMatchObject(owned.has(row.id) ? { channel: first.name, stage: 1 } : { stage: 0 });
});

test('the statements of routing are those of its caches, however many messages there are', async () => {
  await addRoute(first, second);
  const traffic = { OwnerId: owner.id, type: 'sms', sender: 'MIRTEA', kind: 'bulk' } as const;
  const channels = new Set<string | undefined>();
  const statements = await statementsOf(service(Db), async () => {
    const routeOf = await service(RoutingService).of(traffic, () => []);
    for (let n = 0; n < 1000; n++) {
      const id = `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      channels.add(routeOf({ id, address: `+7916${1_000_000 + n}` })?.channel);
    }
  });
  expect([...channels]).toEqual([first.name]);
  // The account, the channels, the version, the routes, and what is down.
  expect(statements).toBeLessThanOrEqual(5);
});
