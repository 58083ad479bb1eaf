import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Db } from './db/db.ts';
import { TtlCache } from './ttl-cache.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // To lru-cache a start of 0 is none.
  vi.advanceTimersByTime(1);
});
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('concurrent callers share a load, and its value for a second, each key for itself', async () => {
  const load = vi.fn<(key: string) => Promise<string>>(async (key: string) => {
    await sleep(100);
    return key;
  });
  const cache = new TtlCache(load);
  const asked = Promise.all([cache.get('a'), cache.get('a'), cache.get('b')]);
  await wait(100);
  expect(await asked).toEqual(['a', 'a', 'b']);
  await wait(800);
  await cache.get('a');
  expect(load).toHaveBeenCalledTimes(2);
  await wait(200);
  void cache.get('a');
  expect(load).toHaveBeenCalledTimes(3);
});

test('invalidated values and failures are loaded again; a loader gets the previous value', async () => {
  let counts = 0;
  const cache = new TtlCache(async (key, last: number | undefined) => {
    if (key === 'fails' && ++counts === 1) throw new Error('no');
    return (last ?? 0) + 1;
  });
  await expect(cache.get('fails')).rejects.toThrow('no');
  expect(await cache.get('fails')).toBe(1);
  await wait(1001);
  expect(await cache.get('fails')).toBe(2);
  cache.invalidate('fails');
  expect(await cache.get('fails')).toBe(1);
});

test('the time to live may follow from how long the load took', async () => {
  let loads = 0;
  const cache = new TtlCache(
    async () => {
      await sleep(20);
      return ++loads;
    },
    (tookMs) => 21 * tookMs,
  );
  const first = cache.get('a');
  await wait(20);
  expect(await first).toBe(1);
  await wait(390);
  expect(await cache.get('a')).toBe(1);
  await wait(30);
  const next = cache.get('a');
  await wait(20);
  expect(await next).toBe(2);
});

test('a load that never ends delays no later caller', async () => {
  let loads = 0;
  const cache = new TtlCache(() =>
    ++loads === 1 ? new Promise<string>(() => undefined) : Promise.resolve('found'),
  );
  void cache.get('a');
  await wait(4900);
  void cache.get('a');
  expect(loads).toBe(1);
  await wait(200);
  expect(await cache.get('a')).toBe('found');
});

test('a load that was invalidated meanwhile answers its callers and is not cached', async () => {
  let loads = 0;
  const cache = new TtlCache(async () => {
    const value = ++loads;
    await sleep(100);
    return value;
  });
  const first = cache.get('a');
  await wait(50);
  cache.invalidate('a');
  const second = cache.get('a');
  await wait(100);
  expect(await Promise.all([first, second, cache.get('a')])).toEqual([1, 2, 2]);
});

test('a caller with a connection waits for no load of others, and shares its own value', async () => {
  const client = { query: () => Promise.resolve({ rows: [], command: 'COMMIT' }) };
  const runner = { connect: () => Promise.resolve(client), release: () => Promise.resolve() };
  const db = new Db({ createQueryRunner: () => runner } as never);
  let loads = 0;
  const cache = new TtlCache(() =>
    ++loads === 1 ? new Promise<string>(() => undefined) : Promise.resolve(`load ${loads}`),
  );
  void cache.get('a');
  expect(await db.transaction(() => cache.get('a'))).toBe('load 2');
  expect(await db.transaction(() => cache.get('a'))).toBe('load 2');
  expect(await cache.get('a')).toBe('load 2');
});
