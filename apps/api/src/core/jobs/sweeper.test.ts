import type { DiscoveryService } from '@nestjs/core';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until, World } from '../../../test/world.ts';
import { NamedLocks } from '../db/locks.ts';
import { createLog } from '../log.ts';
import { ProcessReports } from '../process-reports.ts';
import { Shutdown } from '../shutdown.ts';
import { Sweeps } from './handlers.ts';
import { Sweeper } from './sweeper.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** What the sweeps of all workers of a test did. */
class Seen {
  quick = 0;
  failed = 0;
  steps = 0;
  slow = 0;
  slowAtOnce = 0;
  mostAtOnce = 0;
  let: () => void = () => undefined;
  readonly held = new Promise<void>((resolve) => (this.let = resolve));
}

function workerOf(
  seen: Seen,
  reports = new ProcessReports(world.db, world.clock, createLog('silent', 'test')),
): { start: () => void; stop: () => Promise<void> } {
  class Some {
    @Sweeps(10)
    async quick(): Promise<void> {
      seen.quick++;
    }
    @Sweeps(10)
    async fails(): Promise<void> {
      seen.failed++;
      throw new Error('of a test');
    }
    @Sweeps(60_000)
    async slow(): Promise<void> {
      seen.slow++;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.slowAtOnce);
      await seen.held;
      seen.slowAtOnce--;
    }
    /** Finds work three times. */
    @Sweeps(60_000)
    async steps(): Promise<boolean> {
      return ++seen.steps % 4 !== 0;
    }
  }
  const discovery = { getProviders: () => [{ instance: new Some() }] };
  const sweeper = new Sweeper(
    discovery as unknown as DiscoveryService,
    new MetadataScanner(),
    new Reflector(),
    world.config,
    createLog('silent', 'test'),
    new Shutdown(world.config),
    reports,
  );

  return {
    start: () => sweeper.onApplicationBootstrap(),
    stop: () => sweeper.onModuleDestroy(),
  };
}

test('a hanging or failing sweep delays no other, and each runs in one worker at a time', async () => {
  const seen = new Seen();
  const workers = [workerOf(seen), workerOf(seen)];
  for (const { start } of workers) start();
  await until(async () => seen.quick >= 4 && seen.failed >= 4 && seen.slow > 0, 'sweeps go on');
  expect(seen).toMatchObject({ slow: 1, mostAtOnce: 1 });
  expect(seen.steps % 4).toBe(0);
  seen.let();
  // It is due in the other worker, too.
  await until(async () => seen.slow === 2, 'the lock is free');
  expect(seen.mostAtOnce).toBe(1);
  await Promise.all(workers.map(({ stop }) => stop()));
});

test('a worker that stops completes the running sweep and starts no other', async () => {
  const seen = new Seen();
  const worker = workerOf(seen);
  worker.start();
  await until(async () => seen.slowAtOnce === 1, 'the sweep');
  let isOver = false;
  const stopping = worker.stop().then(() => (isOver = true));
  const { quick } = seen;
  await sleep(300);
  expect({ isOver, quick: seen.quick }).toEqual({ isOver: false, quick });
  seen.let();
  await stopping;
  expect(seen.slowAtOnce).toBe(0);
  const others = new NamedLocks(world.config.directUrl);
  expect(await others.take(['Some.slow'])).toEqual(['Some.slow']);
  await others.close();
});

test('locks of an ended database session are free and can be taken', async () => {
  const [first, second] = [
    new NamedLocks(world.config.directUrl),
    new NamedLocks(world.config.directUrl),
  ];
  expect(await first.take(['a', 'b'])).toEqual(['a', 'b']);
  expect(await second.take(['a', 'c'])).toEqual(['c']);
  await first.release('a');
  expect(await second.take(['a', 'b'])).toEqual(['a']);
  await world.db.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`,
  );
  await until(async () => (await second.take(['b']).catch(() => [])).length === 1, 'a session');
  await first.release('b');
  expect(await first.take(['a'])).toEqual(['a']);
  await Promise.all([first.close(), second.close()]);
});
