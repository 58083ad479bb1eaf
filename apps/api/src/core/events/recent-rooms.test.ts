import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { World } from '../../../test/world.ts';
import { FAIL_FAST, openRedis } from '../redis.ts';
import { Log } from '../log.ts';
import { RecentRooms } from './recent-rooms.ts';

let world: World;
let redis: ReturnType<typeof openRedis>;

beforeAll(async () => {
  world = await World.start();
  redis = openRedis(world.config, world.api.get(Log), FAIL_FAST);
  await new Promise((resolve) => redis.once('ready', resolve));
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  redis?.disconnect();
  await world?.stop();
});

/** Rooms of two processes, and a clock at some second of a minute. */
function rooms() {
  vi.useFakeTimers({ toFake: ['Date'] });
  const prefix = `${randomUUID()}:`;
  const at = (seconds: number) => Date.UTC(2026, 10, 29, 12) + seconds * 1000;
  const [one, two] = [new RecentRooms(redis, prefix), new RecentRooms(redis, prefix)];
  return { prefix, one, two, at, go: (seconds: number) => vi.setSystemTime(at(seconds)) };
}

test('a room has missed what was noted for it since, in whichever process, and no more', async () => {
  const { one, two, at, go } = rooms();
  go(5);
  one.note(['a', 'b']);
  go(12);
  two.note(['c']);
  go(58);
  const any = (since: number, ...names: string[]) => one.anySince(at(since), names);
  expect(await any(0, 'a')).toBe(true);
  expect(await any(0, 'x', 'b')).toBe(true);
  expect(await any(0, 'x')).toBe(false);
  expect(await any(0)).toBe(false);
  expect(await any(8, 'a', 'b')).toBe(false);
  expect(await any(8, 'a', 'c')).toBe(true);
  // The later time counts, and clocks may differ by two seconds.
  one.note(['a']);
  expect(await any(60, 'a')).toBe(true);
  expect(await any(61, 'a')).toBe(false);
  two.note();
  expect(await any(50, 'x')).toBe(true);
});

test('what is noted goes away by itself, after the greatest age of a page', async () => {
  const { prefix, one, go } = rooms();
  go(5);
  one.note(['a']);
  one.note(['b']);
  const [key] = await redis.keys(`${prefix}*`);
  const left = await redis.ttl(key!);
  expect(left).toBeGreaterThan(72);
  expect(left).toBeLessThanOrEqual(80);
});

test('without Redis something may have been missed', async () => {
  const lost = openRedis({ REDIS_URL: 'redis://127.0.0.1:1' }, world.api.get(Log), FAIL_FAST);
  const one = new RecentRooms(lost, 'x:');
  one.note(['a']);
  expect(await one.anySince(Date.now(), ['x'])).toBe(true);
  lost.disconnect();
});
