import { sendings, type SendingReceipt } from '@heliograph/contract';
import { Redis } from 'ioredis';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redis, type OwnRedis } from '../../../scripts/lib/redis.mjs';
import { Jobs } from '../src/core/jobs/queue.ts';
import { createLog } from '../src/core/log.ts';
import { Carrier } from './carrier.ts';
import { approve, problems } from './factories.ts';
import { until, World } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-redis-'));
chmodSync(folder, 0o711); // as root the server runs under an account of its own, which has to pass
const lines: { msg?: string }[] = [];
const payload = { sender: 'MIRTEA', text: 'Hello' };
let server: OwnRedis;
let admin: Redis;
let world: World;

beforeAll(async () => {
  server = await redis({ dataDir: folder, durable: false });
  admin = new Redis(server.url);
  world = await World.start({ REDIS_URL: server.url });
}, 300_000);
afterAll(async () => {
  await world?.stop();
  admin?.disconnect();
  await server?.stop();
  if (server) rmSync(server.home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

test('a Redis without memory is told by the readiness and by one line of the log, and messages are accepted and delivered', async () => {
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as { msg?: string });
      done();
    },
  });
  Object.assign(world, { log: createLog('warn', 'test', to) });
  const { app, base } = await world.startApi();
  const jobs = app.get(Jobs);
  const ready = async () => {
    const { body } = await request(base).get('/api/health/ready');
    return body as { status: string; checks: { redis: boolean; database: boolean } };
  };
  await until(async () => (await ready()).checks.redis, 'Redis');
  const owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
  await Carrier.start(world, ['sms']);
  await admin.config('SET', 'maxmemory', '1');
  await until(async () => !(await ready()).checks.redis, 'the readiness to tell');
  expect(await ready()).toMatchObject({ status: 'degraded', checks: { database: true } });
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const body = { type: 'sms', payload, recipient: `+7916123456${i}` } as never;
    const receipt = await world.client(owner.token, base)(sendings.create, { body });
    ids.push((receipt as SendingReceipt).id);
    await until(async () => jobs.enqueueFailures > i, 'the job that is refused');
  }
  const told = lines.filter(({ msg }) => msg?.startsWith('Enqueue failed')).length;
  expect([told > 0, told < ids.length]).toEqual([true, true]);
  await world.startWorker();
  const isSent = async (id: string) =>
    (await owner.api(sendings.get, { params: { id } })).state.status !== 'pending';
  for (const id of ids) await until(() => isSent(id), 'the message to be submitted');
  await admin.config('SET', 'maxmemory', '0');
  await until(async () => (await ready()).checks.redis, 'Redis again');
  expect(await problems(world)).toEqual([]);
});
