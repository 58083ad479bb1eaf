import { sendings } from '@heliograph/contract';
import { Queue } from 'bullmq';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../scripts/lib/ports.mjs';
import { signed } from '../../src/core/http/standard-webhooks.ts';
import { QUEUES } from '../../src/core/jobs/catalog.ts';
import { channelName } from '../../src/core/redis.ts';
import { MESSAGE } from '../scene.ts';
import { type Person, until } from '../world.ts';
import * as malformed from './malformed.ts';
import { Processes, type Running } from './processes.ts';

const METRICS_TOKEN = 'a-token-of-the-operators';
let cluster: Processes;
let api: Running;
let worker: Running;
let base: string;
let metricsBase: string;
let owner: Person;

beforeAll(async () => {
  // A separate Redis, since some of the published messages disconnect all sockets.
  cluster = await Processes.withOwnRedis({ METRICS_TOKEN });
  ({ process: api, base } = await cluster.api());
  const port = await freePort();
  metricsBase = `http://127.0.0.1:${port}`;
  worker = await cluster.worker('worker', { METRICS_PORT: String(port) });
  owner = await cluster.world.person();
}, 600_000);
afterAll(() => cluster?.stop());

/** Both processes live, neither had an uncaught error, and a message is still delivered. */
async function stillWorks(): Promise<void> {
  expect([api.alive, worker.alive]).toEqual([true, true]);
  for (const of of [base, metricsBase]) expect(await uncaught(of)).toEqual([0, 0]);
  const client = cluster.world.client(owner.token, base);
  const body = { ...MESSAGE, recipient: '+79990000000' };
  const { id } = (await client(sendings.create, { body })) as { id: string };
  await until(async () => {
    const { state } = await client(sendings.get, { params: { id } });
    return state.status === 'delivered' || state.status === 'seen';
  }, 'a message after it all');
}

async function uncaught(of: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${of}/metrics`, { headers })).text();
  return ['uncaughtException', 'unhandledRejection'].map((kind) =>
    Number(
      new RegExp(`heliograph_uncaught_errors_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1],
    ),
  );
}

const inTurn = async <T>(items: T[], act: (item: T) => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < items.length; i += 50) await Promise.all(items.slice(i, i + 50).map(act));
};

test('handshakes of sockets', async () => {
  await inTurn(malformed.HANDSHAKES, (packet) => malformed.say(base, [packet]));
  await inTurn(malformed.HANDSHAKES, (packet) => malformed.say(base, [packet, packet, '42["x"]']));
  await stillWorks();
});

test('packets of sockets, before and after they have signed in', async () => {
  const signIn = `40{"token":"${owner.token}"}`;
  await inTurn(malformed.PACKETS, (packet) => malformed.say(base, [packet]));
  await inTurn(malformed.PACKETS, (packet) => malformed.say(base, [signIn, packet, packet]));
  await malformed.say(base, [signIn, ...Array.from({ length: 500 }, () => '42["x"]')]);
  await stillWorks();
});

test('polling, in every wrong order', async () => {
  const url = `${base}/socket.io/?EIO=4&transport=polling`;
  const open = async () => /"sid":"([^"]+)"/.exec(await (await fetch(url)).text())![1]!;
  await inTurn(malformed.PACKETS.concat(malformed.HANDSHAKES), async (packet) => {
    const to = `${url}&sid=${await open()}`;
    const post = (type: string) =>
      fetch(to, {
        method: 'POST',
        body: packet as string,
        headers: { 'content-type': type },
      }).catch(() => undefined);
    await Promise.all([post('text/plain'), post('application/octet-stream'), post('nonsense;')]);
    await fetch(to, { method: 'DELETE' }).catch(() => undefined);
    const polls = AbortSignal.timeout(100);
    await Promise.all([1, 2].map(() => fetch(to, { signal: polls }).catch(() => undefined)));
  });
  await stillWorks();
});

test('bytes on the ports of both processes', async () => {
  for (const of of [base, metricsBase])
    for (const end of ['reset', 'close'] as const)
      await inTurn(malformed.BYTES, (bytes) =>
        malformed.throwAt(Number(new URL(of).port), bytes, end),
      );
  await stillWorks();
});

test('jobs and messages in Redis', async () => {
  const connection = new Redis(cluster.world.config.REDIS_URL, { maxRetriesPerRequest: null });
  for (const name of Object.keys(QUEUES)) {
    const queue = new Queue(name, { connection: connection as never, skipVersionCheck: true });
    for (const [job, data] of malformed.JOBS) await queue.add(job, data);
    for (const fields of [
      ['data', '{'],
      ['data', '{}', 'opts', '['],
      ['timestamp', 'x'],
    ]) {
      const id = `broken-${randomBytes(4).toString('hex')}`;
      await connection.hset(queue.toKey(id), 'name', 'sendings.dispatch', ...fields);
      await connection.lpush(queue.toKey('wait'), id);
    }
    await connection.lpush(queue.toKey('wait'), 'no-such-job');
    await queue.add('sendings.dispatch', {});
    await until(async () => !(await queue.getWaitingCount()), `the queue ${name} to continue`);
    await queue.close();
  }
  const prefix = channelName(cluster.world.config, connection, 'socket.io');
  for (const channel of [`${prefix}#/#`, `${prefix}-request#/#`, `${prefix}-response#/#`])
    for (const message of malformed.MESSAGES)
      expect(await connection.publish(channel, message)).toBeGreaterThan(0);
  connection.disconnect();
  await stillWorks();
});

test('reports of a carrier whose signature is right', async () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  await cluster.world.db.query(
    `insert into channels (name, driver, types, priority, options) values ('odd', 'http', '{hlr}', -1, $1)`,
    [{ url: 'http://127.0.0.1:9/', secret }],
  );
  const post = (path: string, body: string) =>
    fetch(`${base}/api/channels/odd/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(secret, body) },
      body,
    });
  await until(async () => (await post('statuses', '{"statuses":[]}')).ok, 'the channel is known');
  for (const path of ['statuses', 'incoming'])
    for (const body of malformed.REPORTS) {
      const { status } = await post(path, body);
      // Invalid items are answered one by one in a 200.
      expect([path, body.slice(0, 60), status < 500]).toEqual([path, body.slice(0, 60), true]);
    }
  await stillWorks();
});
