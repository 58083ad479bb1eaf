import { sendings, tasks, type EventBody } from '@heliograph/contract';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { redis, type OwnRedis } from '../../../scripts/lib/redis.mjs';
import { Wakeups } from '../src/core/events/wakeups.ts';
import { Jobs } from '../src/core/jobs/queue.ts';
import { RateLimits } from '../src/core/rate-limits.ts';
import { queuePrefix } from '../src/core/redis.ts';
import { SharedCounters } from '../src/core/shared-counters.ts';
import { approve, contactList, finished } from './factories.ts';
import { listen } from './listen.ts';
import { type Person, until, World } from './world.ts';

// Two installations on one Redis. Its access lists let each use only names with its own prefix, so whatever has another name is
// refused and logged by Redis itself, keys and channels alike.

const folder = mkdtempSync(join(tmpdir(), 'heliograph-redis-'));
chmodSync(folder, 0o711); // as root the server runs under an account of its own, which has to pass
/** As docs/operations.md has it. */
const accessRule = readFileSync(
  new URL('../../../docs/operations.md', import.meta.url),
  'utf8',
).match(/ACL SETUSER (staging on .+)/)![1]!;
let server: OwnRedis;
let admin: Redis;
let one: World;
let two: World;

async function installation(prefix: string): Promise<World> {
  const rule = accessRule.replaceAll('staging', prefix).replace('PASSWORD', `${prefix}-secret`);
  // A world empties its database when it starts.
  await admin.call('ACL', 'SETUSER', ...rule.split(' '), '+flushdb');
  const url = new URL(server.url);
  url.username = prefix;
  url.password = `${prefix}-secret`;
  const world = await World.start({ REDIS_URL: url.href, REDIS_PREFIX: prefix });
  await until(() => world.api.get(Jobs).ready(), 'Redis');
  return world;
}

beforeAll(async () => {
  server = await redis({ dataDir: folder, durable: false });
  admin = new Redis(server.url);
  one = await installation('one');
  two = await installation('two');
}, 300_000);
afterAll(async () => {
  await one?.stop();
  await two?.stop();
  admin?.disconnect();
  await server?.stop();
  if (server) rmSync(server.home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function bulk(world: World): Promise<{ owner: Person; id: string }> {
  const owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
  const list = await contactList(world, owner.id, 200);
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type: 'sms', payload, recipient: { include: [list] } };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  return { owner, id };
}

/** The waiting jobs of a queue. */
async function waiting(world: World, name: string): Promise<number> {
  const prefix = queuePrefix(world.config);
  const queue = new Queue(name, { connection: admin as never, prefix, skipVersionCheck: true });
  const count = await queue.getWaitingCount();
  await queue.close();
  return count;
}

/** What is published from now on until the test ends, by anybody. */
async function published(): Promise<string[]> {
  const heard: string[] = [];
  const all = new Redis(server.url);
  onTestFinished(() => all.disconnect());
  all.on('pmessage', (_pattern: string, _channel: string, text: string) => heard.push(text));
  await all.psubscribe('*');
  return heard;
}

test('the workers of an installation take no jobs of another', async () => {
  const abandoned = Array.from({ length: 5 }, () => crypto.randomUUID());
  for (const taskId of abandoned) one.api.get(Jobs).enqueue('task.expand', { taskId });
  await until(async () => (await waiting(one, 'expand')) === 5, 'its jobs');
  const worker = await two.startWorker();
  const { owner, id } = await bulk(two);
  await finished(owner, id);
  await until(async () => (await waiting(two, 'expand')) === 0, 'the queue of the other');
  expect(await waiting(one, 'expand')).toBe(5);
  expect(worker.get(Jobs, { strict: false }).enqueueFailures).toBe(0);
  await one.startWorker();
  await until(async () => (await waiting(one, 'expand')) === 0, 'its own worker');
}, 300_000);

test('sockets hear events of their own installation only', async () => {
  // Administrators hear of all accounts, so they are in a room of the same name.
  const administrator = { level: 'manager', grants: { add: ['users.all'] } } as const;
  const ofOne = await listen<EventBody>(one, await one.person(administrator), 'tasks.created');
  const ofTwo = await listen<EventBody>(two, await two.person(administrator), 'tasks.created');
  const first = await bulk(one);
  await until(async () => ofOne.length, 'its own event');
  // It has passed Redis, which delivers in order: if the other heard of it, then before its own.
  const second = await bulk(two);
  await until(async () => ofTwo.length, 'the event of the other');
  const of = (bodies: EventBody[], id: string) => JSON.stringify(bodies).includes(id);
  expect([of(ofOne, first.id), of(ofTwo, second.id)]).toEqual([true, true]);
  expect([of(ofOne, second.id), of(ofTwo, first.id)]).toEqual([false, false]);
  for (const { owner, id } of [first, second]) await finished(owner, id);
}, 300_000);

test('requests that wait are woken by processes of their own installation only', async () => {
  const [key, last] = [crypto.randomUUID(), crypto.randomUUID()];
  const [here, there] = [one, two].map((world) => world.api.get(Wakeups));
  const other = (await two.startApi()).app.get(Wakeups);
  const [mine, its, marker] = [here!.join(key), there!.join(key), there!.join(last)];
  const all = await published();
  const subscribed = async () =>
    ((await admin.pubsub('CHANNELS', '*wakeups*')) as string[]).toSorted();
  await until(async () => (await subscribed()).length === 2, 'both subscriptions');
  expect(await subscribed()).toEqual(['{one}:wakeups/0', '{two}:wakeups/0']);
  // The first connection of a subscriber wakes everybody, too.
  await Promise.all([mine, its, marker].map((waiter) => waiter.wait(1)));
  const woken: string[] = [];
  void its.wait(600_000).then(() => woken.push('its'));
  const marked = marker.wait(600_000).then(() => woken.push('marker'));
  await until(async () => {
    here!.publish([key]);
    return all.includes(key);
  }, 'the message of the one');
  await mine.wait(600_000);
  await until(async () => {
    other.publish([last]);
    return woken.length;
  }, 'the message of the other');
  await marked;
  expect(woken).toEqual(['marker']);
  here!.leave(mine);
  for (const waiter of [its, marker]) there!.leave(waiter);
  its.wake();
}, 300_000);

test('limits and counts are of one installation', async () => {
  const [mine, its] = [one, two].map((world) => world.api.get(RateLimits).of('trial', 2, 3600));
  await mine!.consume('tea');
  await mine!.consume('tea');
  await expect(mine!.consume('tea')).rejects.toMatchObject({ consumedPoints: 3 });
  expect(await its!.consume('tea')).toMatchObject({ consumedPoints: 1 });
  const [ours, theirs] = [one, two].map((world) => world.api.get(SharedCounters));
  ours!.add(ours!.get('trial', 86_400), 5);
  theirs!.add(theirs!.get('trial', 86_400), 2);
  const synced = (counters: SharedCounters) => !counters.get('trial', 86_400).unsynced;
  await until(async () => synced(ours!) && synced(theirs!), 'both counts');
  expect(theirs!.get('trial', 86_400).count).toBe(2);
  expect(ours!.get('trial', 86_400).count).toBe(5);
});

test('all names in Redis have the prefix of an installation, and nothing else was tried', async () => {
  const { owner, id } = await bulk(one);
  await finished(owner, id);
  expect((await owner.api(tasks.get, { params: { id } })).meta.counters.total).toBe(200);
  const keys: string[] = [];
  for await (const some of admin.scanStream()) keys.push(...(some as string[]));
  expect(keys.filter((key) => !/^\{(one|two)\}:/.test(key))).toEqual([]);
  for (const prefix of ['one', 'two'])
    for (const kind of ['bull:', 'count:', 'trial:'])
      expect(keys.some((key) => key.startsWith(`{${prefix}}:${kind}`))).toBe(true);
  expect(await admin.call('ACL', 'LOG')).toEqual([]);
}, 300_000);
