import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fairTurns } from './fair-turns.ts';

/** The middleware alone, with what it has begun in each turn of the event loop. */
function turnsOf(requests: string[]): Promise<string[][]> {
  const handle = fairTurns(0);
  const turns: string[][] = [[]];
  return new Promise((resolve) => {
    let left = requests.length;
    const tick = () => {
      if (left === 0) return resolve(turns.filter((turn) => turn.length));
      turns.push([]);
      setImmediate(tick);
    };
    // Before those of the middleware.
    setImmediate(tick);
    for (const authorization of requests)
      handle({ headers: { authorization } } as never, { destroyed: false } as never, () => {
        turns.at(-1)!.push(authorization);
        left--;
      });
  });
}

test('a burst of one caller is begun in parts, with those of others in each', async () => {
  const burst = Array.from({ length: 20 }, () => 'many');
  const turns = await turnsOf([...burst, 'one']);
  expect(turns[0]).toEqual([...Array.from({ length: 8 }, () => 'many'), 'one']);
  expect(turns.map((turn) => turn.length)).toEqual([9, 8, 4]);
});

test('few requests are begun at once', async () => {
  expect(await turnsOf(['one', 'two', 'one'])).toEqual([['one', 'two', 'one']]);
});

test('all requests of a burst are answered, with and without a token', async () => {
  const app = express().use(fairTurns(0), (_request, response) => void response.json('tea'));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}`, { headers })).json();
  const asked = Array.from({ length: 100 }, (_, i) => ask(i % 2 ? { authorization: 'a' } : {}));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['tea']));
});
