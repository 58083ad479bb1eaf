import { expect, test } from 'vitest';
import { Slices } from './slices.ts';

/** Each read of the clock is a millisecond later, so that work is counted, not timed. */
class Counted extends Slices {
  private looks = 0;
  protected override now(): number {
    return this.looks++;
  }
}

/** What was done in each turn of the event loop, until all is done. */
async function turnsOf(all: Promise<unknown>, done: string[]): Promise<string[]> {
  const turns: string[] = [];
  let isOver = false;
  void all.finally(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (done.length) turns.push(done.splice(0).join(''));
  }
  return turns;
}

test('a turn of the event loop has one slice of one computation, in their order', async () => {
  const slices = new Counted();
  const done: string[] = [];
  const long = (name: string, n: number) =>
    slices.forEach(Array.from({ length: n }), () => void done.push(name));
  const all = Promise.all([long('a', 20), long('b', 10), slices.alone(() => done.push('c'))]);
  expect(await turnsOf(all, done)).toEqual(['aaaaaaaa', 'bbbbbbbb', 'c', 'aaaaaaaa', 'bb', 'aaaa']);
});

test('an error in one slice ends only its own computation', async () => {
  const slices = new Counted();
  const seen: number[] = [];
  const broken = slices.forEach([1, 2, 3], (n) => {
    seen.push(n);
    if (n === 2) throw new Error('broken');
  });
  const other = slices.alone(() => 'fine');
  await expect(broken).rejects.toThrow('broken');
  expect(await other).toBe('fine');
  expect(seen).toEqual([1, 2]);
  expect(await slices.alone(() => 'later')).toBe('later');
});
