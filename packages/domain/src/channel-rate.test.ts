import { expect, test } from 'vitest';
import {
  afterUse,
  allowance,
  isInUse,
  atRate,
  partsOf,
  segmentsAtOnce,
  UNUSED,
  waitForMore,
  type ChannelLimits,
} from './channel-rate.ts';

const limits = (given: Partial<ChannelLimits>): ChannelLimits => ({
  rate: null,
  burst: null,
  perDay: null,
  warmUp: null,
  ...given,
});
const at = (ms: number) => new Date(Date.UTC(2026, 0, 31, 12) + ms);

test('a burst is a second of the rate unless it is given, and one segment at least', () => {
  expect(segmentsAtOnce(limits({ rate: 10 }))).toBe(10);
  expect(segmentsAtOnce(limits({ rate: 2.5 }))).toBe(3);
  expect(segmentsAtOnce(limits({ rate: 0.1 }))).toBe(1);
  expect(segmentsAtOnce(limits({ rate: 10, burst: 40 }))).toBe(40);
  expect(segmentsAtOnce(limits({ rate: 10, perDay: 6 }))).toBe(6);
  expect(segmentsAtOnce(limits({}))).toBe(Infinity);
});

test('what was used comes back at the rate, up to the burst', () => {
  const ten = limits({ rate: 10 });
  expect(allowance(ten, UNUSED, at(0))).toBe(10);
  const use = afterUse(ten, UNUSED, 10, at(0));
  expect([0, 99, 100, 550, 1000, 60_000].map((ms) => allowance(ten, use, at(ms)))).toEqual([
    0, 0, 1, 5, 10, 10,
  ]);
  // More than there was: the rest is a debt.
  const debt = afterUse(ten, UNUSED, 30, at(0));
  expect([2000, 2100].map((ms) => allowance(ten, debt, at(ms)))).toEqual([0, 1]);
});

test('a rate below one is a segment in several seconds', () => {
  const slow = limits({ rate: 0.25 });
  const use = afterUse(slow, UNUSED, 1, at(0));
  expect([3999, 4000].map((ms) => allowance(slow, use, at(ms)))).toEqual([0, 1]);
  expect(waitForMore(slow, use, at(1000))).toBe(3000);
});

test('what is owed at a rate comes back at a higher one, and in the same time at a lower one', () => {
  const hourly = limits({ rate: 1 / 3600, burst: 10 });
  // Set by mistake, with a message of 40 segments: for forty hours nothing goes.
  const use = afterUse(hourly, UNUSED, 40, at(0));
  expect(allowance(hourly, use, at(29 * 3_600_000))).toBe(0);
  const fast = limits({ rate: 100, burst: 10 });
  expect(allowance(fast, use, at(0))).toBe(0);
  expect(waitForMore(fast, use, at(0))).toBe(310);
  const kept = atRate(fast, use, at(0));
  expect([309, 310, 400].map((ms) => allowance(fast, kept, at(ms)))).toEqual([0, 1, 10]);
  expect(atRate(fast, kept, at(100))).toBe(kept);
  expect(atRate(hourly, use, at(0))).toBe(use);
  // A lowered rate makes no hours of a second.
  const ofFast = afterUse(fast, UNUSED, 100, at(0));
  expect(waitForMore(limits({ rate: 1 / 3600 }), ofFast, at(0))).toBe(1000);
  // Without a rate nothing is owed, nor with one that is set later.
  const free = afterUse(limits({}), use, 5, at(1000));
  expect(allowance(fast, free, at(1000))).toBe(10);
});

test('a limit is in use until all of its burst is free, or while its day has nothing left', () => {
  const ten = limits({ rate: 10, perDay: 40 });
  expect(isInUse(ten, UNUSED, at(0))).toBe(false);
  const use = afterUse(ten, UNUSED, 5, at(0));
  expect([0, 499, 500].map((ms) => isInUse(ten, use, at(ms)))).toEqual([true, true, false]);
  const all = afterUse(ten, use, 35, at(0));
  expect([10_000, 12 * 3_600_000].map((ms) => isInUse(ten, all, at(ms)))).toEqual([true, false]);
});

test('parts of a segment are not lost, however fast they go', () => {
  const fast = limits({ rate: 3000, burst: 100 });
  let use = UNUSED;
  let sent = 0;
  for (let ms = 0; ms <= 10_000; ms++)
    for (let n = allowance(fast, use, at(ms)); n > 0; n--) {
      use = afterUse(fast, use, 1, at(ms));
      sent++;
    }
  // Milliseconds since 1970 are exact to a quarter of a thousandth.
  expect(Math.abs(sent / 30_100 - 1)).toBeLessThan(0.001);
});

test('a day begins at midnight of UTC', () => {
  const daily = limits({ perDay: 100 });
  const use = afterUse(daily, UNUSED, 70, at(0));
  expect(allowance(daily, use, at(1))).toBe(30);
  const all = afterUse(daily, use, 30, at(1));
  expect(allowance(daily, all, at(2))).toBe(0);
  expect(waitForMore(daily, all, at(0))).toBe(12 * 3_600_000);
  expect(allowance(daily, all, at(12 * 3_600_000))).toBe(100);
  expect(afterUse(daily, all, 1, at(12 * 3_600_000)).used).toBe(1);
});

test('the wait is until a segment more, not shorter than a moment unless all is there earlier', () => {
  const five = limits({ rate: 5 });
  const use = afterUse(five, UNUSED, 5, at(0));
  expect(waitForMore(five, use, at(0))).toBe(200);
  expect(waitForMore(five, use, at(150))).toBe(50);
  expect(waitForMore(five, afterUse(five, UNUSED, 6, at(0)), at(0))).toBe(400);
  const fast = limits({ rate: 1000 });
  expect(waitForMore(fast, afterUse(fast, UNUSED, 1000, at(0)), at(0))).toBe(50);
  const single = limits({ rate: 1000, burst: 1 });
  expect(waitForMore(single, afterUse(single, UNUSED, 1, at(0)), at(0))).toBe(1);
});

test('messages go in parts within both limits; one that is longer goes alone', () => {
  const parts = (max: { messages: number; segments: number }, ...segments: number[]) =>
    partsOf(segments, max, (n) => n);
  expect(parts({ messages: 2, segments: Infinity }, 1, 1, 1)).toEqual([[1, 1], [1]]);
  expect(parts({ messages: 10, segments: 4 }, 2, 2, 1, 3, 9, 1)).toEqual([
    [2, 2],
    [1, 3],
    [9],
    [1],
  ]);
  expect(parts({ messages: 1, segments: 1 })).toEqual([]);
});

test('a new channel is given twice as much on each day on which it is used, up to its limit of a day', () => {
  const warming = limits({ warmUp: 100, perDay: 1000 });
  const day = (n: number) => at(n * 86_400_000);
  expect(segmentsAtOnce(warming)).toBe(100);
  let use = UNUSED;
  const allowed: number[] = [];
  // It is not used on the third and fourth day.
  for (const n of [0, 1, 4, 5, 6]) {
    allowed.push(allowance(warming, use, day(n)));
    use = afterUse(warming, use, 30, day(n));
    use = afterUse(warming, use, allowance(warming, use, day(n)), day(n));
    expect(allowance(warming, use, day(n))).toBe(0);
    expect(waitForMore(warming, use, day(n))).toBe(43_200_000);
  }
  expect(allowed).toEqual([100, 200, 400, 800, 1000]);
  // Without a limit of a day it is soon warm.
  const years = { ...use, days: 3000 };
  expect(allowance(limits({ warmUp: 100 }), years, day(9))).toBe(Infinity);
});
