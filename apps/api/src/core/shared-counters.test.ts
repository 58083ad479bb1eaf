import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../test/until.ts';
import type { Config } from './config.ts';
import { createLog } from './log.ts';
import { RateLimits } from './rate-limits.ts';
import { SharedCounters } from './shared-counters.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function counters(url = process.env.REDIS_URL!) {
  const log = createLog('silent', 'test');
  const limits = new RateLimits({ REDIS_URL: url } as Config, log);
  const shared = new SharedCounters(limits, log);
  closing.push(
    () => limits.onApplicationShutdown(),
    () => shared.onApplicationShutdown(),
  );
  return { limits, shared };
}
/** With a connection, and patience for the answers of Redis: without them a process counts for itself, however slow the machine is. */
async function connected() {
  const own = counters();
  own.limits.redis.options.commandTimeout = 30_000;
  await until(async () => own.limits.redis.status === 'ready', 'a connection');
  return own;
}
const unique = () => `test-${Math.random()}`;
/** As long as a day, so that none ends in the middle of a test. */
const SECONDS = 86_400;

test('all processes share the count, each without delay for itself', async () => {
  const [{ shared: one }, { shared: two }] = [await connected(), await connected()];
  const name = unique();
  one.add(one.get(name, SECONDS), 3);
  expect(one.get(name, SECONDS).count).toBe(3);
  two.add(two.get(name, SECONDS), 4);
  expect(two.get(name, SECONDS).count).toBe(4);
  await until(async () => two.get(name, SECONDS).count === 7, 'what the other counted');
  one.add(one.get(name, SECONDS), 1);
  await until(async () => one.get(name, SECONDS).count === 8, 'the sum');
});

test('a thousand calls are synchronised in one or two calls, and their keys expire', async () => {
  const { limits, shared } = await connected();
  const said = vi.spyOn(limits.redis, 'eval');
  const names = Array.from({ length: 50 }, unique);
  for (let n = 0; n < 1000; n++) shared.add(shared.get(names[n % 50]!, SECONDS), 1);
  await until(
    async () => names.every((name) => !shared.get(name, SECONDS).unsynced),
    'all synchronised',
  );
  expect(said.mock.calls.length).toBeLessThanOrEqual(2);
  expect(shared.get(names[0]!, SECONDS).count).toBe(20);
  const expiry = await limits.redis.ttl(shared.get(names[0]!, SECONDS).key);
  expect(expiry).toBeGreaterThan(SECONDS);
});

test('an expired window starts a new count', async () => {
  const { shared } = counters();
  const name = unique();
  const now = Math.ceil(Date.now() / 60_000) * 60_000 + 59_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  closing.push(() => vi.useRealTimers());
  shared.add(shared.get(name, 60), 5);
  expect(shared.get(name, 60)).toMatchObject({ count: 5, endsAt: now + 1000 });
  vi.setSystemTime(now + 1000);
  expect(shared.get(name, 60).count).toBe(0);
});

/** A server that accepts connections and never answers. */
async function silent(): Promise<string> {
  const server: Server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['is away', async () => 'redis://127.0.0.1:1'],
  ['does not answer', silent],
])('while Redis %s a process counts for itself', async (_, url) => {
  const { shared } = counters(await url());
  const name = unique();
  for (let n = 0; n < 3; n++) {
    shared.add(shared.get(name, SECONDS), 2);
    await sleep(150);
  }
  expect(shared.get(name, SECONDS).count).toBe(6);
});

test('a clock that is put back begins a new window: nobody is held to an old one for hours', () => {
  const { shared } = counters();
  const name = unique();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  closing.push(() => vi.useRealTimers());
  shared.add(shared.get(name, 1), 100);
  vi.setSystemTime(now - 3_600_000);
  expect(shared.get(name, 1).count).toBe(0);
});
