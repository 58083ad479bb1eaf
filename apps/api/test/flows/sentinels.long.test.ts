import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from '../factories.ts';
import { until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, printFigures, sender } from './delivery.ts';
import { type Carrier, isReady, Processes } from './processes.ts';
import { RedisGroup } from './redis-group.ts';

const size = 4000;
let group: RedisGroup;
let cluster: Processes;
let carrier: Carrier;
let base: string;

beforeAll(async () => {
  group = await RedisGroup.start();
  cluster = await Processes.start({ LEASE_SECONDS: '5', EXPIRES_SECONDS: '8', ...group.env });
  base = (await cluster.api()).base;
  carrier = await cluster.carrier(base, PROFILE);
  await cluster.worker();
}, 600_000);
afterAll(async () => {
  await cluster?.stop();
  await group?.stop();
});

const list = (connections: string[]) => ['', ...connections.toSorted()].join('\n  ');

/** Sends a bulk in the middle of which the primary fails; then all processes use the one that the sentinels have promoted. */
async function sendThrough(what: string): Promise<void> {
  const started = Date.now();
  const { world } = cluster;
  await until(() => isReady(base), 'the API to be ready');
  const owner = await sender(world, size);
  const before = (await carrier.summary()).distinct;
  const former = await group.primary();
  const clients = await group.clientsOf(former);
  // Two processes and the API of the test have several each.
  expect(clients.length).toBeGreaterThan(10);
  const { id } = await bulk(world.client(owner.token, base), owner.list);
  await until(
    async () => (await carrier.summary()).distinct > before + size / 3,
    'a third to be submitted',
    60_000,
  );
  group.kill(former);
  await until(async () => (await group.primary()) !== former, 'a replica to be promoted', 240_000);
  const promoted = await group.primary();
  await finished(owner, id, 240_000);
  const figures = await checkDelivery(world, carrier, { id, list: owner.list, size });
  expect(figures).toMatchObject({ unknownOutcomes: 0, lost: 0, doubled: 0 });
  printFigures(what, started, figures);

  let gone: string[] = [];
  await until(
    async () => (gone = await group.clientsOf(promoted)).length >= clients.length,
    'all connections to have gone over',
    150_000,
  ).catch((error: unknown) => {
    throw new Error(`of ${list(clients)}\nonly these have gone over: ${list(gone)}`, {
      cause: error,
    });
  });
  await until(() => isReady(base), 'the API to be ready again');
  const heard: string[] = [];
  const socket = io(base, { transports: ['websocket'], auth: { token: owner.token } });
  socket.onAny((name: string) => heard.push(name));
  await until(async () => socket.connected, 'the socket to be let in');
  const again = await bulk(world.client(owner.token, base), owner.list);
  await finished(owner, again.id, 240_000);
  await until(async () => heard.includes('tasks.updated'), 'an event of the worker');
  socket.disconnect();
}

test('a primary that is killed, and a sentinel: the replica is promoted, and nothing is lost or sent twice', async () => {
  group.killSentinel();
  await sendThrough('killed primary');
}, 600_000);
