import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Believed } from './believed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('one look serves all who ask meanwhile and for a second, each key for itself', async () => {
  const look = vi.fn<(key: string) => Promise<string>>(async (key: string) => {
    await sleep(100);
    return key;
  });
  const believed = new Believed(look);
  const asked = Promise.all([believed.get('a'), believed.get('a'), believed.get('b')]);
  await wait(100);
  expect(await asked).toEqual(['a', 'a', 'b']);
  await wait(800);
  await believed.get('a');
  expect(look).toHaveBeenCalledTimes(2);
  await wait(200);
  void believed.get('a');
  expect(look).toHaveBeenCalledTimes(3);
});

test('what is forgotten is looked up again, and so is a failure; a look is told the last answer', async () => {
  let counts = 0;
  const believed = new Believed(async (key, last: number | undefined) => {
    if (key === 'fails' && ++counts === 1) throw new Error('no');
    return (last ?? 0) + 1;
  });
  await expect(believed.get('fails')).rejects.toThrow('no');
  expect(await believed.get('fails')).toBe(1);
  await wait(1000);
  expect(await believed.get('fails')).toBe(2);
  believed.forget('fails');
  expect(await believed.get('fails')).toBe(1);
});

test('what is expensive may be believed the longer the longer it took', async () => {
  let looks = 0;
  const believed = new Believed(
    async () => {
      await sleep(20);
      return ++looks;
    },
    (tookMs) => 21 * tookMs,
  );
  const first = believed.get('a');
  await wait(20);
  expect(await first).toBe(1);
  await wait(390);
  expect(await believed.get('a')).toBe(1);
  await wait(30);
  const next = believed.get('a');
  await wait(20);
  expect(await next).toBe(2);
});

test('a look that never ends holds nobody up who asks later', async () => {
  let looks = 0;
  const believed = new Believed(() =>
    ++looks === 1 ? new Promise<string>(() => undefined) : Promise.resolve('found'),
  );
  void believed.get('a');
  await wait(4900);
  void believed.get('a');
  expect(looks).toBe(1);
  await wait(200);
  expect(await believed.get('a')).toBe('found');
});
