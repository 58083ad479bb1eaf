import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restingShares, SHARE_TOTAL, shiftShares, type JudgedChannel } from './share-shifts.ts';

const STEP_MS = 600_000;
const START = Date.UTC(2026, 10, 29);

const weights = fc
  .array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 6 })
  .filter((list) => list.filter((weight) => weight > 0).length >= 2);
const receipts = fc.record({
  mccmnc: fc.constantFrom('25001', '25002', null),
  delivered: fc.nat(500),
  failed: fc.nat(500),
  late: fc.nat(100),
});
/** What is known of a channel in ten minutes. */
const known = fc.record({
  isWorking: fc.boolean(),
  hasReports: fc.boolean(),
  accepted: fc.nat(500),
  reported: fc.nat(500),
  networks: fc.uniqueArray(
    receipts.map((one) => ({ ...one, late: Math.min(one.late, one.delivered + one.failed) })),
    { selector: ({ mccmnc }) => mccmnc, maxLength: 3 },
  ),
});
type Known = Omit<JudgedChannel, 'ChannelId' | 'weight' | 'share' | 'poorAt'>;

/** A route over time, as it is kept. */
class Shared {
  readonly channels: { ChannelId: string; weight: number; share: number; poorAt: Date | null }[];
  readonly resting: Map<string, number>;
  private steps = 0;

  constructor(list: number[]) {
    const plain = list.map((weight, i) => ({ ChannelId: String(i), weight }));
    this.resting = restingShares(plain);
    this.channels = plain.map((one) => ({
      ...one,
      share: this.resting.get(one.ChannelId)!,
      poorAt: null,
    }));
  }

  step(facts: Known[]) {
    const now = new Date(START + STEP_MS * this.steps++);
    const judged = this.channels.map((one, i) => ({ ...one, ...facts[i]! }));
    const { changes, poor } = shiftShares(judged, now);
    for (const { ChannelId, before, after } of changes) {
      const own = this.channels.find((one) => one.ChannelId === ChannelId)!;
      if (before !== own.share) throw new Error(`${ChannelId} had ${own.share}, not ${before}`);
      own.share = after;
    }
    for (const one of this.channels) if (poor.includes(one.ChannelId)) one.poorAt = now;
    return changes;
  }

  get shares() {
    return this.channels.map(({ share }) => share);
  }
}

const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
const history = weights.chain((list) =>
  fc.tuple(
    fc.constant(list),
    fc.array(fc.tuple(...list.map(() => known)) as fc.Arbitrary<Known[]>, { maxLength: 30 }),
  ),
);
const well: Known = {
  isWorking: true,
  hasReports: true,
  accepted: 200,
  reported: 200,
  networks: [{ mccmnc: '25001', delivered: 190, failed: 10, late: 0 }],
};

test('shares stay within their bounds and add up to the same, whatever happens', () => {
  fc.assert(
    fc.property(history, ([list, steps]) => {
      const shared = new Shared(list);
      for (const facts of steps) {
        const changes = shared.step(facts);
        expect(sum(shared.shares)).toBe(SHARE_TOTAL);
        for (const { ChannelId, weight, share } of shared.channels) {
          const floor = Math.min(50, shared.resting.get(ChannelId)!);
          expect(share).toBeGreaterThanOrEqual(weight ? floor : 0);
          expect(share).toBeLessThanOrEqual(weight ? SHARE_TOTAL : 0);
        }
        for (const { before, after } of changes) expect(before - after).toBeLessThanOrEqual(500);
      }
    }),
  );
});

test('shares go back to the weights when all channels are well, and stay there', () => {
  fc.assert(
    fc.property(history, ([list, steps]) => {
      const shared = new Shared(list);
      for (const facts of steps) shared.step(facts);
      let last = Infinity;
      for (let n = 0; n < 25; n++) {
        shared.step(list.map(() => well));
        const distance = sum(
          shared.channels.map(({ ChannelId, share }) =>
            Math.abs(share - shared.resting.get(ChannelId)!),
          ),
        );
        // Nearer with each step: it does not swing.
        expect(distance === 0 || distance < last).toBe(true);
        last = distance;
      }
      expect(last).toBe(0);
    }),
  );
});

test('few receipts never move a share away from its weight', () => {
  const few = fc
    .tuple(fc.nat(24), fc.nat(25), fc.nat(49))
    .map(([delivered, failed, accepted]): Known => ({
      isWorking: true,
      hasReports: true,
      accepted,
      reported: 0,
      networks: [{ mccmnc: '25001', delivered, failed, late: failed }],
    }));
  fc.assert(
    fc.property(weights, fc.array(few, { minLength: 6, maxLength: 6 }), (list, facts) => {
      expect(new Shared(list).step(facts)).toEqual([]);
    }),
  );
});

test('channels that deliver alike do not change, but for chance', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50, max: 99 }),
      fc.integer({ min: 60, max: 600 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      (percent, count, chance) => {
        const shared = new Shared([1, 1]);
        const draw = (): Known => {
          const delivered = Array.from({ length: count }, () => chance.next().value!).filter(
            (value) => value * 100 < percent,
          ).length;
          const networks = [{ mccmnc: '25001', delivered, failed: count - delivered, late: 0 }];
          return { ...well, networks };
        };
        let moved = 0;
        for (let n = 0; n < 20; n++)
          moved += shared.step([draw(), draw()]).some(({ reason }) => reason !== 'back') ? 1 : 0;
        expect(moved).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 30, seed: 316 },
  );
});
