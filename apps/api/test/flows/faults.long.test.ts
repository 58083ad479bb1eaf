import { RESYNC } from '@heliograph/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finished } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, printFigures, sender } from './delivery.ts';
import { type Carrier, Processes, type Running } from './processes.ts';

const env = { EXPIRES_SECONDS: '8' };

describe('a process that is killed', () => {
  const size = 20_000;
  let cluster: Processes;
  let carrier: Carrier;
  let worker: Running;
  let api: Running;
  let base: string;
  let owner: Person & { list: string };

  beforeAll(async () => {
    cluster = await Processes.start({ ...env, LEASE_SECONDS: '5' });
    ({ process: api, base } = await cluster.api());
    carrier = await cluster.carrier(base, PROFILE);
    worker = await cluster.worker();
    owner = await sender(cluster.world, size);
  }, 600_000);
  afterAll(() => cluster?.stop());

  test('a worker: 20,000 chains of a bulk end once each', async () => {
    const started = Date.now();
    const { id } = await bulk(cluster.world.client(owner.token, base), owner.list);
    await cluster.world.db.query(
      `insert into contacts (list_id, phone, first_name) values ($1, '+79019999999', 'Late') on conflict do nothing`,
      [owner.list],
    );
    await submitted(carrier, size / 3);
    await worker.kill();
    await worker.start();
    await finished(owner, id, 240_000);
    const [late] = await cluster.world.db.query<{ n: number }>(
      `select count(*)::int as n from sendings where phone = '+79019999999'`,
    );
    expect(late!.n).toBe(0);
    const figures = await checkDelivery(cluster.world, carrier, { id, list: owner.list, size });
    printFigures('killed worker', started, figures);
  }, 600_000);

  test('the API and the carrier: reports are repeated, and each chain ends once', async () => {
    const started = Date.now();
    const other = await sender(cluster.world, 4000);
    const before = (await carrier.summary()).distinct;
    const { id } = await bulk(cluster.world.client(other.token, base), other.list);
    await submitted(carrier, before + 1000);
    await Promise.all([api.kill(), carrier.process.kill()]);
    await Promise.all([api.start(), carrier.process.start()]);
    await finished(other, id, 240_000);
    const at = { id, list: other.list, size: 4000 };
    printFigures(
      'killed API and carrier',
      started,
      await checkDelivery(cluster.world, carrier, at),
    );
  }, 600_000);
});

describe('a Redis that loses its data', () => {
  const size = 4_000;
  let cluster: Processes;
  let carrier: Carrier;
  let base: string;

  beforeAll(async () => {
    cluster = await Processes.withOwnRedis(env);
    base = (await cluster.api()).base;
    carrier = await cluster.carrier(base, PROFILE);
    await cluster.worker();
  }, 600_000);
  afterAll(() => cluster?.stop());

  async function sendThrough(what: string, fault: () => Promise<void>): Promise<void> {
    const started = Date.now();
    const owner = await sender(cluster.world, size);
    const before = (await carrier.summary()).distinct;
    const { id } = await bulk(cluster.world.client(owner.token, base), owner.list);
    await submitted(carrier, before + size / 3);
    await fault();
    await finished(owner, id, 240_000);
    const figures = await checkDelivery(cluster.world, carrier, { id, list: owner.list, size });
    expect(figures).toMatchObject({ unknownOutcomes: 0, lost: 0, doubled: 0 });
    printFigures(what, started, figures);
  }

  test(
    'flushed in the middle, nothing is lost and nothing is sent twice',
    () => sendThrough('flushed Redis', () => cluster.flushRedis()),
    180_000,
  );

  test(
    'killed and started empty: queued jobs are lost, and the sweep processes their rows',
    () =>
      sendThrough('killed Redis', async () => {
        await cluster.killRedis();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await cluster.startRedis();
      }),
    180_000,
  );

  test('an API that starts without Redis sends resync when Redis is back', async () => {
    const owner = await sender(cluster.world, 1);
    await cluster.killRedis();
    const late = await cluster.api('late');
    const heard: string[] = [];
    const socket = io(late.base, { transports: ['websocket'], auth: { token: owner.token } });
    socket.onAny((name: string) => heard.push(name));
    await until(async () => socket.connected, 'the socket to be let in');
    await cluster.startRedis();
    await until(async () => heard.includes(RESYNC), 'the call to fetch anew');
    const before = heard.length;
    const { id } = await bulk(cluster.world.client(owner.token, base), owner.list);
    await finished(owner, id);
    // The worker does not wait for Redis: a change that it could not tell is one of those that its own call to fetch anew stands for.
    await until(
      async () => heard.slice(before).some((name) => ['tasks.updated', RESYNC].includes(name)),
      'the task to be heard of',
    );
    socket.disconnect();
  }, 600_000);
});

async function submitted(carrier: Carrier, n: number): Promise<void> {
  await until(
    async () => (await carrier.summary()).distinct > n,
    `${Math.round(n)} messages to be submitted`,
  );
}
