import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Shutdown } from '../src/core/shutdown.ts';
import { VERSION } from '../src/core/version.ts';
import { until, World } from './world.ts';

let world: World;

const get = async (path: string, base = world.base) => {
  const { status, body } = await request(base).get(path);
  return { status, body: body as { checks: Record<string, boolean> } };
};

beforeAll(async () => {
  world = await World.start();
  await until(async () => (await get('/api/health/ready')).body.checks.redis, 'Redis');
});
afterAll(() => world.stop());

test('a working process is live and ready, and its version is on /api/health only', async () => {
  const checks = { database: true, migrations: true, redis: true, files: true };
  expect(await get('/api/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await get('/api/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks },
  });
  expect(await get('/api/health')).toEqual({
    status: 200,
    body: { status: 'ready', checks, version: VERSION, build: 'unknown' },
  });
});

test('is degraded and still ready without Redis, because messages are accepted', async () => {
  const { base } = await world.startApi({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect(await get('/api/health/ready', base)).toEqual({
    status: 200,
    body: {
      status: 'degraded',
      checks: { database: true, migrations: true, redis: false, files: true },
    },
  });
});

test('is degraded when files cannot be stored: uploads are 503 and say so, everything else works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A file where a folder is expected: the tests may run as root, who may write everywhere.
  writeFileSync(join(folder, 'taken'), '');
  const { base } = await world.startApi({ FILES_DIR: join(folder, 'taken') });
  const { token } = await world.person();
  expect(await get('/api/health/ready', base)).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { database: true, redis: true, files: false } },
  });
  const unavailable = { status: 503, body: { code: 'storage_unavailable' } };
  const form = request(base).post('/api/storage').set('authorization', token);
  expect(await form.attach('file', Buffer.from('tea'), 'a.txt')).toMatchObject(unavailable);
  const body = request(base).post('/api/storage').set('authorization', token);
  expect(await body.type('text/plain').set('x-filename', 'a.txt').send('tea')).toMatchObject(
    unavailable,
  );
  const { status } = await request(base).get('/api/users/me').set('authorization', token);
  expect(status).toBe(200);
});

/** A TCP proxy in front of the database that can stop forwarding. */
async function databaseProxy(): Promise<{
  url: string;
  block: (isBlocked: boolean) => void;
  close: () => void;
}> {
  const target = new URL(world.config.DATABASE_URL);
  const ends: Socket[] = [];
  let isBlocked = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.push(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.on('data', (bytes) => to.write(bytes));
      if (isBlocked) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    block: (value) => {
      isBlocked = value;
      for (const end of ends)
        if (value) end.pause();
        else end.resume();
    },
    close: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

test('answers 503 within two seconds while the database hangs, to 20 callers at once, and recovers', async () => {
  const proxy = await databaseProxy();
  const { base } = await world.startApi({ DATABASE_URL: proxy.url });
  expect((await get('/api/health/ready', base)).status).toBe(200);
  proxy.block(true);
  await until(async () => (await get('/api/health/ready', base)).status === 503, 'the 503');
  const since = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => get('/api/health/ready', base)));
  // One after the other, or without a limit of its own, they would wait for forty seconds and more.
  expect(performance.now() - since).toBeLessThan(20_000);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]));
  expect(all[0]!.body).toMatchObject({ status: 'unavailable', checks: { database: false } });
  expect((await get('/api/health/live', base)).status).toBe(200);
  proxy.block(false);
  await until(async () => (await get('/api/health/ready', base)).status === 200, 'the database');
  proxy.close();
});

test('a process that is shutting down is not ready and still answers', async () => {
  const { app, base } = await world.startApi();
  app.get(Shutdown).begin(true);
  expect(await get('/api/health/ready', base)).toMatchObject({
    status: 503,
    body: { status: 'stopping' },
  });
  expect((await get('/api/health/live', base)).status).toBe(200);
});

test('is starting while a migration has not run', async () => {
  const one = await World.start();
  await one.db.query(`delete from migrations where id = (select max(id) from migrations)`);
  for (const path of ['/api/health', '/api/health/ready'])
    expect(await get(path, one.base)).toMatchObject({
      status: 503,
      body: { status: 'starting', checks: { database: true, migrations: false } },
    });
  await one.db.query(`drop table migrations`);
  await until(async () => (await get('/api/health', one.base)).status === 503, 'no table');
  expect((await get('/api/health/live', one.base)).status).toBe(200);
  await one.stop();
});
