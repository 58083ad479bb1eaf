import { expect, it } from 'vitest';

import { Collector } from './collector.ts';

it('stores what comes together in one call, and what comes meanwhile in the next', async () => {
  const calls: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const begun: (() => void)[] = [];
  const collector = new Collector<number>((items) => {
    calls.push(items);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    for (const tell of begun.splice(0)) tell();
    return gate.promise;
  });
  const next = () => new Promise<void>((resolve) => begun.push(resolve));
  const stored: number[] = [];
  const add = (item: number) => collector.add(item).then(() => stored.push(item));
  let call = next();
  const first = [add(1), add(2)];
  await call;
  expect(calls).toEqual([[1, 2]]);
  const second = [add(3), add(4)];
  expect(stored).toEqual([]);
  call = next();
  gates[0]!.resolve();
  await Promise.all(first);
  await call;
  expect(calls).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(stored).toEqual([1, 2]);
  gates[1]!.resolve();
  await Promise.all(second);
});

it('stores at most a hundred in one call', async () => {
  const sizes: number[] = [];
  const collector = new Collector<number>(async (items) => void sizes.push(items.length));
  await Promise.all(Array.from({ length: 250 }, (_, i) => collector.add(i)));
  expect(sizes).toEqual([100, 100, 50]);
});

it('tells all of a call that it failed, and none of the next', async () => {
  let isDown = true;
  const collector = new Collector<number>(async () => {
    if (isDown) throw new Error('down');
  });
  const failed = await Promise.allSettled([collector.add(1), collector.add(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  await collector.add(3);
});
