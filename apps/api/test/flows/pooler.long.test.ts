import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from '../factories.ts';
import { Pooler } from '../pooler.ts';
import { until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, printFigures, sender } from './delivery.ts';
import { type Carrier, isReady, Processes } from './processes.ts';

const size = 6000;
const SESSIONS = 4;
let pooler: Pooler;
let cluster: Processes;
let carrier: Carrier;
let base: string;

beforeAll(async () => {
  pooler = await Pooler.start(SESSIONS);
  cluster = await Processes.start({ EXPIRES_SECONDS: '8' }, { poolerUrl: pooler.url });
  base = (await cluster.api()).base;
  carrier = await cluster.carrier(base, PROFILE);
  await Promise.all([cluster.worker('one'), cluster.worker('two')]);
}, 600_000);
afterAll(async () => {
  await cluster?.stop();
  await pooler?.stop();
});

async function send(): Promise<{ id: string; list: string; end: () => Promise<void> }> {
  const owner = await sender(cluster.world, size);
  const { id } = await bulk(cluster.world.client(owner.token, base), owner.list);
  const end = async () => void (await finished(owner, id, 240_000));
  return { id, list: owner.list, end };
}

test('an API and two workers share four sessions: nothing is lost or sent twice', async () => {
  const started = Date.now();
  const { id, list, end } = await send();
  await end();
  const figures = await checkDelivery(cluster.world, carrier, { id, list, size });
  expect(figures).toMatchObject({ unknownOutcomes: 0, lost: 0, doubled: 0 });
  const { sessions } = await pooler.pool(cluster.world.config.DATABASE_URL);
  expect(sessions).toBeGreaterThan(0);
  expect(sessions).toBeLessThanOrEqual(SESSIONS);
  printFigures('pooled', started, figures);
}, 600_000);

test('PgBouncer that is killed in the middle and started again: each chain ends once', async () => {
  const started = Date.now();
  const before = (await carrier.summary()).distinct;
  const { id, list, end } = await send();
  await until(
    async () => (await carrier.summary()).distinct > before + size / 3,
    'a third to be submitted',
  );
  await pooler.kill();
  await until(async () => !(await isReady(base)), 'the API to miss the database');
  await pooler.startAgain();
  await until(() => isReady(base), 'the API to be ready again');
  await end();
  const figures = await checkDelivery(cluster.world, carrier, { id, list, size });
  printFigures('killed pooler', started, figures);
}, 600_000);
