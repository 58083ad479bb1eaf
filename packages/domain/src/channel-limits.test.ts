import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  LimitedCall,
  limitKey,
  limitsOfMessage,
  type LimitedMessage,
  type MessageLimit,
} from './channel-limits.ts';
import { UNUSED, type ChannelLimits, type ChannelUse } from './channel-rate.ts';

const limits = (given: Partial<ChannelLimits>): ChannelLimits => ({
  rate: null,
  burst: null,
  perDay: null,
  warmUp: null,
  ...given,
});
const limit = (given: Partial<MessageLimit>): MessageLimit => ({
  sender: null,
  country: null,
  mccmnc: null,
  rate: null,
  burst: null,
  perDay: null,
  ...given,
});
const NOON = Date.UTC(2026, 0, 31, 12);
const at = (ms: number) => new Date(NOON + ms);
const call = (given: Partial<ChannelLimits>[], uses?: ChannelUse[], ms = 0) =>
  new LimitedCall(given.map(limits), uses ?? given.map(() => UNUSED), at(ms));
/** Takes, and uses what it was given. */
const go = (one: LimitedCall, of: number[], segments: number, isWhole = true) => {
  const n = one.take(of, segments, isWhole);
  if (n) one.use(of, n);
  return n;
};

const MATCHING: [string, Partial<MessageLimit>, Partial<LimitedMessage>, boolean][] = [
  ['its sender name', { sender: 'Mirtea' }, { sender: 'MIRTEA' }, true],
  ['another sender name', { sender: 'Mirtea' }, { sender: 'MIRTEA2' }, false],
  ['its number without the plus', { sender: '+15550100' }, { sender: '15550100' }, true],
  ['its country', { country: 'DE' }, { country: 'DE' }, true],
  ['another country', { country: 'DE' }, { country: 'FR' }, false],
  ['an unknown country', { country: 'DE' }, { country: null }, false],
  ['its network', { mccmnc: '26201' }, { mccmnc: '26201' }, true],
  ['another network', { mccmnc: '26201' }, { mccmnc: '26202' }, false],
  ['any network of its country', { mccmnc: '262*' }, { mccmnc: '26202' }, true],
  ['an unknown network', { mccmnc: '262*' }, { mccmnc: null }, false],
  ['all of its conditions', { sender: 'A', country: 'DE' }, { sender: 'A', country: 'DE' }, true],
  ['one of two conditions', { sender: 'A', country: 'DE' }, { sender: 'A', country: 'FR' }, false],
];
test.each(MATCHING)('a limit and %s', (_, given, message, expected) => {
  const limitsOf = limitsOfMessage([limit(given)]);
  const found = limitsOf({ sender: 'X', country: null, mccmnc: null, ...message });
  expect(found).toEqual(expected ? [0] : []);
});

test('a message counts against all limits whose conditions it meets', () => {
  const of = limitsOfMessage([
    limit({ sender: 'A' }),
    limit({ country: 'DE' }),
    limit({ sender: 'B' }),
    limit({ mccmnc: '26201' }),
  ]);
  expect(of({ sender: 'A', country: 'DE', mccmnc: '26201' })).toEqual([0, 1, 3]);
  expect(of({ sender: 'C', country: 'FR', mccmnc: null })).toEqual([]);
});

test('a limit is named by its conditions', () => {
  expect(limitKey({ sender: ' Mirtea', country: 'DE', mccmnc: null })).toBe('mirtea|DE|');
  expect(limitKey({ sender: null, country: null, mccmnc: '262*' })).toBe('||262*');
});

test('what is used up waits, and holds up nothing else', () => {
  const one = call([{}, { rate: 1, burst: 2 }, { rate: 1 }]);
  expect([go(one, [0, 1], 1), go(one, [0, 1], 1), go(one, [0, 1], 1)]).toEqual([1, 1, 0]);
  expect(go(one, [0, 2], 1)).toBe(1);
  expect(go(one, [0], 1)).toBe(1);
  expect(one.closed()).toEqual([1, 2]);
});

test('what needs more than is free is not passed by what comes later for the same limit', () => {
  const one = call([{}, { rate: 1, burst: 4 }], [UNUSED, { ...UNUSED, fullAt: NOON + 2000 }]);
  expect(go(one, [0, 1], 3)).toBe(0);
  expect(go(one, [0, 1], 1)).toBe(0);
  expect(one.waitMs()).toBe(1000);
});

test('of several messages as many go as may at once, or as the day has left', () => {
  expect(call([{}, { rate: 1, burst: 4 }]).take([0, 1], 100, false)).toBe(4);
  const day = { fullAt: 0, rate: null, day: '2026-01-31', used: 97, days: 0 };
  expect(call([{}, { perDay: 100 }], [UNUSED, day]).take([0, 1], 100, false)).toBe(3);
  expect(call([{}, { perDay: 100 }], [UNUSED, { ...day, used: 100 }]).take([0, 1], 5, false)).toBe(
    0,
  );
  expect(call([{ rate: 2 }, { rate: 1, burst: 4 }]).take([0, 1], 100, false)).toBe(2);
});

test('a message with more segments than may go at once goes when all is free, and is worked off', () => {
  const one = call([{}, { rate: 1, burst: 2 }]);
  expect(go(one, [0, 1], 5)).toBe(5);
  const later = (ms: number) => call([{}, { rate: 1, burst: 2 }], [one.used(0), one.used(1)], ms);
  expect([3999, 4000].map((ms) => later(ms).take([0, 1], 1, true))).toEqual([0, 1]);
});

test('a message of two limits gets its turn, though others use up both in turn', () => {
  // Each of the others takes a segment as soon as it is there; the two limits are half a second apart.
  const given = [{}, { rate: 1 }, { rate: 0.7 }];
  let uses = [UNUSED, { ...UNUSED, fullAt: NOON + 1000 }, { ...UNUSED, fullAt: NOON + 500 }];
  let wentAt: number | undefined;
  for (let ms = 0; ms < 20_000 && wentAt === undefined; ms += 100) {
    const one = call(given, uses, ms);
    // It is the first in the order; what comes after it are messages of one limit each.
    if (go(one, [0, 1, 2], 1)) wentAt = ms;
    go(one, [0, 1], 1);
    go(one, [0, 2], 1);
    uses = [0, 1, 2].map((i) => one.used(i));
  }
  expect(wentAt).toBeLessThan(3000);
});

test('a slow limit does not keep what a fast one has', () => {
  const slow = { ...UNUSED, fullAt: NOON + 500_000 };
  const one = call([{}, { rate: 10, burst: 1 }, { rate: 0.001 }], [UNUSED, UNUSED, slow]);
  expect(go(one, [0, 1, 2], 1)).toBe(0);
  expect(go(one, [0, 1], 1)).toBe(1);
});

const RATES = fc.record({
  rate: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
  burst: fc.option(fc.integer({ min: 1, max: 10 }), { nil: null }),
  perDay: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
});
const MESSAGE = fc.record({ of: fc.subarray([1, 2, 3]), segments: fc.integer({ min: 1, max: 3 }) });

test('never more leaves than the burst and the rate, nor than the day has, of any limit and of the channel; nothing starves', () => {
  fc.assert(
    fc.property(
      fc.array(RATES, { minLength: 4, maxLength: 4 }),
      fc.array(MESSAGE, { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 50, max: 400 }),
      (given, messages, stepMs) => {
        const all = given.map(limits);
        let uses: ChannelUse[] = all.map(() => UNUSED);
        let waiting = messages;
        const sent = all.map(() => 0);
        // Until the day ends; every message is within it, or waits for the next one.
        for (let ms = 0; ms < 60_000 && waiting.length; ms += stepMs) {
          const one = new LimitedCall(all, uses, at(ms));
          waiting = waiting.filter(({ of, segments }) => {
            const counted = [0, ...of];
            if (!go(one, counted, segments)) return true;
            for (const i of counted) sent[i]! += segments;
            return false;
          });
          uses = all.map((_, i) => one.used(i));
          const exceeded = all.filter(({ rate, burst, perDay }, i) => {
            // A message with more segments than go at once, or in a day, goes when all is free.
            const most = (burst ?? Math.max(1, rate ?? 0)) + 2 + ((rate ?? 0) * ms) / 1000;
            return (
              (rate !== null && sent[i]! > most + 1e-6) ||
              (perDay !== null && sent[i]! > Math.max(perDay, 3))
            );
          });
          expect(exceeded).toEqual([]);
        }
        // What is left waits for the day of one of its limits, or behind what does.
        const isUsedUp = (i: number) => all[i]!.perDay !== null && all[i]!.perDay! - sent[i]! < 3;
        for (const { of } of waiting) expect([0, ...of].some(isUsedUp)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

test('what is kept of a limit is waited for with the one that is short', () => {
  const short = { ...UNUSED, fullAt: NOON + 600 };
  const one = call([{}, { rate: 10 }, { rate: 5 }], [UNUSED, short, UNUSED]);
  expect(one.take([0, 1, 2], 5, false)).toBe(0);
  expect(one.take([0, 2], 1, true)).toBe(0);
  expect(one.waitMs()).toBe(100);
});

test('nothing is kept of a limit that has only a day', () => {
  const one = call(
    [{ perDay: 800 }, { rate: 1, burst: 1000 }],
    [UNUSED, { ...UNUSED, fullAt: NOON + 1_000_000 }],
  );
  expect(one.take([0, 1], 800, false)).toBe(0);
  expect(one.take([0], 5, true)).toBe(5);
});
