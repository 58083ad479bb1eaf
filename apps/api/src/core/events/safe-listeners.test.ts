import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../log.ts';
import { openRedis, WAIT } from '../redis.ts';
import { ignoreUnawaitedErrors } from './safe-listeners.ts';

/** A Redis that accepts connections and never answers. */
async function silentRedis(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('commands that nobody awaits end without an unhandled rejection, awaited ones with their error', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const redis = openRedis({ REDIS_URL: await silentRedis() }, createLog('silent', 'test'), WAIT);
  ignoreUnawaitedErrors(redis);
  void redis.psubscribe('a*');
  void redis.publish('a', 'b');
  const awaited = redis.ping();
  redis.disconnect();
  await expect(awaited).rejects.toThrow('Connection is closed');
  await setImmediate();
  expect(unhandled).toEqual([]);
});
