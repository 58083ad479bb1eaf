import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shutdown } from '../src/core/shutdown.ts';
import { until, World } from './world.ts';

let world: World;

const ask = async (path: string, base = world.base) => {
  const answer = await fetch(base + path);
  return {
    status: answer.status,
    body: (await answer.json()) as { checks: Record<string, boolean> },
  };
};

beforeAll(async () => {
  world = await World.start();
  await until(async () => (await ask('/api/health/ready')).body.checks.redis, 'Redis');
});
afterAll(() => world.stop());

test('a process that can do its work is live and ready, and says no more to strangers', async () => {
  const checks = { database: true, migrations: true, redis: true };
  expect(await ask('/api/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await ask('/api/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks },
  });
  expect(await ask('/api/health')).toEqual({
    status: 200,
    body: { status: 'ready', checks, version: '1.49.0' },
  });
});

test('without Redis it is degraded and still ready: messages are taken', async () => {
  const { base } = await world.startApi({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect(await ask('/api/health/ready', base)).toEqual({
    status: 200,
    body: { status: 'degraded', checks: { database: true, migrations: true, redis: false } },
  });
});

/** The database behind a wire that can be held. */
async function wire(): Promise<{
  url: string;
  hold: (isHeld: boolean) => void;
  close: () => void;
}> {
  const target = new URL(world.config.DATABASE_URL);
  const ends: Socket[] = [];
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.push(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.on('data', (bytes) => to.write(bytes));
      if (isHeld) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    hold: (held) => {
      isHeld = held;
      for (const end of ends)
        if (held) end.pause();
        else end.resume();
    },
    close: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

test('a database that hangs is told within two seconds, by as many as ask, and found again', async () => {
  const line = await wire();
  const { base } = await world.startApi({ DATABASE_URL: line.url });
  expect((await ask('/api/health/ready', base)).status).toBe(200);
  line.hold(true);
  await until(async () => (await ask('/api/health/ready', base)).status === 503, 'the hang');
  const since = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('/api/health/ready', base)));
  expect(performance.now() - since).toBeLessThan(2000);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]));
  expect(all[0]!.body).toMatchObject({ status: 'unavailable', checks: { database: false } });
  expect((await ask('/api/health/live', base)).status).toBe(200);
  line.hold(false);
  await until(async () => (await ask('/api/health/ready', base)).status === 200, 'the database');
  line.close();
});

test('a process that was told to end is not ready any more, and still answers', async () => {
  const { app, base } = await world.startApi();
  app.get(Shutdown).begin(true);
  expect(await ask('/api/health/ready', base)).toMatchObject({
    status: 503,
    body: { status: 'stopping' },
  });
  expect((await ask('/api/health/live', base)).status).toBe(200);
});

test('it is starting while migrations are behind', async () => {
  const one = await World.start();
  await one.db.query(`delete from migrations where id = (select max(id) from migrations)`);
  for (const path of ['/api/health', '/api/health/ready'])
    expect(await ask(path, one.base)).toMatchObject({
      status: 503,
      body: { status: 'starting', checks: { database: true, migrations: false } },
    });
  await one.db.query(`drop table migrations`);
  await until(async () => (await ask('/api/health', one.base)).status === 503, 'no table');
  expect((await ask('/api/health/live', one.base)).status).toBe(200);
  await one.stop();
});
