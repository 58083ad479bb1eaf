import { sendings } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from '../factories.ts';
import { Replicated } from '../replicated.ts';
import { DELIVERED, MESSAGE } from '../scene.ts';
import { until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, printFigures, sender } from './delivery.ts';
import { type Carrier, isReady, Processes } from './processes.ts';

const size = 6000;
let servers: Replicated;
let cluster: Processes;
let carrier: Carrier;
let base: string;

beforeAll(async () => {
  servers = await Replicated.start();
  await servers.waitForBoth();
  cluster = await Processes.start({ EXPIRES_SECONDS: '8', LEASE_SECONDS: '5' });
  base = (await cluster.api()).base;
  carrier = await cluster.carrier(base, PROFILE);
  await Promise.all([cluster.worker('one'), cluster.worker('two')]);
}, 600_000);
afterAll(async () => {
  await cluster?.stop();
  await servers?.stop();
});

test('the primary is lost in the middle of a bulk, and its replica takes its place: nothing that was answered is missing', async () => {
  const started = Date.now();
  const owner = await sender(cluster.world, size);
  const api = cluster.world.client(owner.token, base);
  const { id } = await bulk(api, owner.list);
  const answered: string[] = [];
  let isOver = false;
  const singles = (async () => {
    while (!isOver) {
      const body = { ...MESSAGE, recipient: DELIVERED };
      const created = await api(sendings.create, { body }).catch(() => undefined);
      if (created) answered.push((created as { id: string }).id);
    }
  })();
  await until(
    async () => (await carrier.summary()).distinct > size / 3 && answered.length > 20,
    'a third to be submitted, and messages of their own beside',
  );
  await servers.killPrimary();
  await until(async () => !(await isReady(base)), 'the API to miss the database');
  const before = answered.length;
  await servers.promote();
  await until(async () => answered.length > before + 20, 'messages to be accepted again');
  isOver = true;
  await singles;
  await finished(owner, id, 240_000);
  const list = { id, list: owner.list, size };
  printFigures('failover', started, await checkDelivery(cluster.world, carrier, list));
  const kept = await cluster.world.db.query<{ id: string }>(
    `select id from sendings where id = any($1)`,
    [answered],
  );
  expect(kept).toHaveLength(new Set(answered).size);
}, 600_000);
