import {
  ADMINISTRATOR_GRANTS,
  channels as channelApi,
  sendings,
  type SendingReceipt,
} from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChannelDown, type SubmitResult } from '../../src/channels/channel.ts';
import { ChannelSessions } from '../../src/features/channels/channel-sessions.service.ts';
import { ChannelSessionsStore } from '../../src/features/channels/channel-sessions.store.ts';
import { DriverPeer } from '../driver.ts';
import { approve, problems } from '../factories.ts';
import { skippingTime } from '../skipped-time.ts';
import { type Person, until, World } from '../world.ts';

/** Longer than any machine stands still. */
const LEASE_SECONDS = 600;
let skip: (seconds: number) => void;
let world: World;
let owner: Person;
let workers: INestApplicationContext[];

beforeEach(async () => {
  world = await World.start({ LEASE_SECONDS: String(LEASE_SECONDS) });
  skip = skippingTime(world.clock);
  workers = [await world.startWorker(), await world.startWorker()];
  owner = await world.person({
    level: 'manager',
    balance: 100_000,
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  await approve(world, owner.id);
});
afterEach(async () => {
  await world.stop();
  vi.restoreAllMocks();
});

const single = async (n = 0) => {
  const recipient = `+7916123456${n}`;
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type: 'sms', payload, recipient } as never;
  return ((await owner.api(sendings.create, { body })) as SendingReceipt).id;
};
const statusOf = async (id: string) =>
  (await owner.api(sendings.get, { params: { id } })).state.status;
const arrives = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, `${status} of a message`);
const rowsOf = (channel: string) =>
  world.db.query<{
    slot: number;
    lease: number;
    isHeld: boolean;
    isConnected: boolean;
    error: string | null;
  }>(
    `select slot, lease, worker is not null as "isHeld", connected_at is not null as "isConnected", error from channel_sessions where channel = $1 order by slot`,
    [channel],
  );
const bound = (peer: DriverPeer, count: number) =>
  until(async () => {
    const held = (await rowsOf(peer.name)).filter(({ isConnected }) => isConnected);
    return peer.bound.length === count && held.length === count;
  }, `${count} sessions`);
/** A part of a lease passes, after which those that are held are renewed. */
async function passes(channel: string): Promise<void> {
  skip(LEASE_SECONDS * 0.3);
  const end = new Date(world.clock.now().getTime() + LEASE_SECONDS * 800);
  await until(async () => {
    const old = `select 1 from channel_sessions where channel = $1 and worker is not null and lease_until < $2`;
    return (await world.db.query(old, [channel, end])).length === 0;
  }, 'the renewal of the leases');
}
async function leasePasses(channel: string): Promise<void> {
  for (let n = 0; n < 4; n++) await passes(channel);
}
const sessionsOf = (worker: INestApplicationContext) =>
  worker.get(ChannelSessions, { strict: false });
/** The worker that has the only session. */
const holder = () => {
  const counts = workers.map((worker) => sessionsOf(worker).names().length);
  expect(counts.toSorted()).toEqual([0, 1]);
  return workers[counts.indexOf(1)]!;
};
const isConnected = async (channel: string) =>
  (await rowsOf(channel)).some((row) => row.isConnected);

test('one worker has the session, sends over it, and keeps it open for what the carrier pushes', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  await bound(peer, 1);
  const ids = await Promise.all([0, 1, 2, 3].map(single));
  for (const id of ids) await arrives(id, 'sent');
  expect(peer.opened).toHaveLength(1);
  expect(peer.opened[0]!.taken.toSorted()).toEqual(ids.toSorted());
  // Nothing is due any more, and leases have come and gone.
  const [before] = await rowsOf(peer.name);
  await leasePasses(peer.name);
  expect(peer.bound).toHaveLength(1);
  expect(await rowsOf(peer.name)).toEqual([before]);
  await peer.bound[0]!.context.inbox.reports([
    { reference: ids[0]!, status: 'delivered', at: world.clock.now() },
  ]);
  expect(await statusOf(ids[0]!)).toBe('delivered');
});

test('a worker that stops closes its session after its calls, and another takes over at once', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  await bound(peer, 1);
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let wasClosed: boolean | undefined;
  peer.send = async (batch, _, opened) => {
    called.resolve();
    await answer.promise;
    wasClosed = opened.isClosed;
    return batch.map(({ reference }) => ({ reference, result: 'accepted' }));
  };
  const id = await single();
  await called.promise;
  const [first] = peer.opened;
  const closed = holder().close();
  answer.resolve();
  await closed;
  expect(wasClosed).toBe(false);
  expect(first!.isClosed).toBe(true);
  expect(await statusOf(id)).toBe('sent');
  await bound(peer, 1);
  expect(peer.opened).toHaveLength(2);
  const next = await single(1);
  await arrives(next, 'sent');
  expect(peer.opened[1]!.taken).toEqual([next]);
});

test('a worker that is stopped in its tracks is replaced within the lease, and does no harm when it goes on', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  await bound(peer, 1);
  const stopped = holder();
  const store = stopped.get(ChannelSessionsStore, { strict: false });
  // It is in the middle of a call, and none of its statements about its leases arrives any more.
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const externalIds = ['theirs'];
  peer.send = async (batch): Promise<SubmitResult[]> => {
    if (peer.calls.length > 1)
      return batch.map(({ reference }) => ({ reference, result: 'accepted' }));
    called.resolve();
    await answer.promise;
    return batch.map(({ reference }) => ({ reference, result: 'accepted', externalIds }));
  };
  const goOn = Promise.withResolvers<void>();
  const renew = store.renew.bind(store);
  const asked = Promise.withResolvers<void>();
  vi.spyOn(store, 'renew').mockImplementation(async (...given) => {
    asked.resolve();
    await goOn.promise;
    return renew(...given);
  });
  const held = await single();
  await called.promise;
  const [first] = peer.opened;
  skip(LEASE_SECONDS * 0.3);
  await asked.promise;
  skip(LEASE_SECONDS);
  await until(
    async () => peer.opened.length === 2 && (await isConnected(peer.name)),
    'the takeover',
  );
  const [row] = await rowsOf(peer.name);
  expect(row).toMatchObject({ lease: 2, isHeld: true });
  // What comes now goes over the new session, although the old one is still open.
  const next = await single(1);
  await arrives(next, 'sent');
  expect(peer.opened[1]!.taken).toEqual([next]);

  goOn.resolve();
  answer.resolve();
  await until(() => Promise.resolve(first!.isClosed), 'the end of the old session');
  expect(peer.bound).toEqual([peer.opened[1]]);
  // It has neither closed nor freed what is another's, and its call is not repeated: the outcome is known by a receipt.
  expect(await rowsOf(peer.name)).toEqual([row]);
  await peer.bound[0]!.context.inbox.reports([
    { externalId: 'theirs', status: 'delivered', at: world.clock.now() },
  ]);
  await arrives(held, 'delivered');
  expect(peer.calls.flat().toSorted()).toEqual([held, next].toSorted());
  expect(await problems(world)).toEqual([]);
});

test('a channel that is switched off, changed or removed ends its sessions', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  await bound(peer, 1);
  const update = (changes: string) =>
    world.db.query(`update channels set ${changes} where name = $1`, [peer.name]);
  await update(`options = options || '{"n": 1}'`);
  await until(
    () => Promise.resolve(peer.opened.length === 2 && peer.opened[0]!.isClosed),
    'the session with other options',
  );
  await bound(peer, 1);
  await update(`is_active = false`);
  await bound(peer, 0);
  expect(await rowsOf(peer.name)).toMatchObject([{ isHeld: false }]);
  await update(`is_active = true`);
  await bound(peer, 1);
  await update(`is_active = false`);
  await owner.api(channelApi.remove, { params: { channel: peer.name } });
  await until(() => Promise.resolve(!peer.bound.length), 'the end of all sessions');
  expect(await rowsOf(peer.name)).toEqual([]);
});

test('several sessions are spread over workers; one worker has them all when it is alone', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 2 } });
  await bound(peer, 2);
  expect(workers.map((worker) => sessionsOf(worker).count(peer.name))).toEqual([1, 1]);
  await workers[0]!.close();
  await bound(peer, 1);
  await leasePasses(peer.name);
  await bound(peer, 2);
  expect(sessionsOf(workers[1]!).count(peer.name)).toBe(2);
  // Calls at the same time go over both.
  const both = Promise.withResolvers<void>();
  let running = 0;
  peer.send = async (batch) => {
    if (++running === 2) both.resolve();
    await both.promise;
    return batch.map(({ reference }) => ({ reference, result: 'accepted' }));
  };
  const first = await single();
  await until(() => Promise.resolve(running === 1), 'the first call');
  const second = await single(1);
  for (const id of [first, second]) await arrives(id, 'sent');
  expect(peer.bound.map(({ taken }) => taken.length)).toEqual([1, 1]);
});

test('a worker that starts later is given its share of the sessions of the one that had them all', async () => {
  await workers[1]!.close();
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 4 } });
  await bound(peer, 1);
  await leasePasses(peer.name);
  await bound(peer, 4);
  const old = sessionsOf(workers[0]!);
  expect(old.count(peer.name)).toBe(4);
  const late = sessionsOf(await world.startWorker());
  const wanted = `select 1 from channel_sessions where channel = $1 and wanted_by is not null`;
  // One for one: what the old worker gives up with a renewal of its leases, the later one takes.
  for (let n = 1; n <= 2; n++) {
    await until(async () => (await world.db.query(wanted, [peer.name])).length, 'the question');
    skip(LEASE_SECONDS * 0.3);
    await until(
      () => Promise.resolve(late.count(peer.name) === n && old.count(peer.name) === 4 - n),
      'a session of the later worker',
    );
  }
  // Then nothing moves any more.
  await bound(peer, 4);
  const store = world.api.get(ChannelSessionsStore, { strict: false });
  await store.want(peer.name, 2, 'one that has two', world.clock.now());
  expect(await world.db.query(wanted, [peer.name])).toEqual([]);
  expect(peer.opened.length).toBe(6);
});

test('a channel whose sessions cannot be connected is down, until one is', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  peer.connect = () => Promise.reject(new ChannelDown('the bind was refused', 1000));
  const id = await single();
  const stateOf = async () =>
    (await owner.api(channelApi.get, { params: { channel: peer.name } })).state;
  const down = await until(async () => {
    const state = await stateOf();
    // The error is written with other changes, once a second.
    return state?.failingSince && state.error ? state : null;
  }, 'the failure');
  expect(down.error).toBe('the bind was refused');
  expect(await isConnected(peer.name)).toBe(false);
  expect(await rowsOf(peer.name)).toMatchObject([{ error: 'the bind was refused' }]);
  expect(down.sessions).toEqual([
    { worker: expect.any(String), connectedAt: null, error: 'the bind was refused' },
  ]);
  // A worker that finds the channel down leases the message for a moment, and gives it back.
  await arrives(id, 'pending');
  expect(peer.calls).toEqual([]);
  peer.connect = () => Promise.resolve();
  await arrives(id, 'sent');
  expect((await stateOf())?.failingSince ?? null).toBeNull();
});

test('a test of a channel that is switched off opens it for a while', async () => {
  const peer = await DriverPeer.start(world, ['sms'], { sessions: { binds: 1 } });
  await world.db.query(`update channels set is_active = false where name = $1`, [peer.name]);
  world.forgetChannels();
  await until(() => Promise.resolve(!peer.bound.length), 'no session');
  const body = {
    type: 'sms',
    recipient: '+79161234567',
    payload: { sender: 'MIRTEA', text: 'Hi' },
  };
  const { id } = (await owner.api(channelApi.test, {
    params: { channel: peer.name },
    body: body as never,
  })) as { id: string };
  await until(() => Promise.resolve(peer.calls.flat().includes(id)), 'the test');
});
