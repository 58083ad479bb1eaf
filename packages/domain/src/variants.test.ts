import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  betterVariant,
  chooseVariant,
  MAX_VARIANT_SHARE,
  MIN_VARIANT_SHARE,
  VARIANT_CRITERIA,
  VARIANT_SLOTS,
  variantShare,
  variantSlots,
  type VariantFigures,
} from './variants.ts';

const none: VariantFigures = { recipients: 0, ended: 0, delivered: 0, replied: 0, clicks: null };
const figures = (given: Partial<VariantFigures>): VariantFigures => ({ ...none, ...given });

it.each([
  // 9 of 10 that ended against 10 of 12: the others still may be delivered.
  ['delivered', { ended: 10, delivered: 9 }, { recipients: 50, ended: 12, delivered: 10 }, 'A'],
  ['delivered', { ended: 10, delivered: 5 }, { ended: 20, delivered: 10 }, null],
  ['replied', { recipients: 40, replied: 1 }, { recipients: 39, replied: 1 }, 'B'],
  ['clicked', { delivered: 10, clicks: 12 }, { delivered: 10, clicks: 13 }, 'B'],
  ['clicked', { delivered: 10, clicks: null }, { delivered: 10, clicks: 0 }, null],
  ['clicked', {}, { delivered: 1, clicks: 1 }, 'B'],
  ['replied', { recipients: 3, replied: 1 }, {}, 'A'],
  ['delivered', {}, {}, null],
] as const)('by %s %j and %j: %s', (by, a, b, better) => {
  expect(betterVariant(by, { A: figures(a), B: figures(b) })).toBe(better);
  const turned = { A: 'B', B: 'A' } as const;
  expect(betterVariant(by, { A: figures(b), B: figures(a) })).toBe(better && turned[better]);
});

it('compares shares as numbers do', () => {
  const count = fc.integer({ min: 1, max: 1_000_000 });
  const text = fc
    .record({ recipients: count, ended: count, delivered: count, replied: count, clicks: count })
    .map(figures);
  fc.assert(
    fc.property(fc.constantFrom(...VARIANT_CRITERIA), text, text, (by, A, B) => {
      const [a, b] = [A, B].map((one) => variantShare(by, one)[0] / variantShare(by, one)[1]);
      const better = a === b ? null : a! > b! ? 'A' : 'B';
      expect(betterVariant(by, { A, B })).toBe(better);
    }),
  );
});

it('the rest gets the text that was not stopped, and without one none', () => {
  const better = { A: figures({ ended: 2, delivered: 2 }), B: figures({ ended: 2, delivered: 1 }) };
  const chosen = (stopped: ('A' | 'B')[]) => chooseVariant('delivered', better, stopped);
  expect(chosen([])).toEqual({ variant: 'A', reason: 'better' });
  expect(chosen(['A'])).toEqual({ variant: 'B', reason: 'stopped' });
  expect(chosen(['B'])).toEqual({ variant: 'A', reason: 'stopped' });
  expect(chosen(['A', 'B'])).toBeNull();
  expect(chooseVariant('delivered', { A: none, B: none }, [])).toEqual({
    variant: 'A',
    reason: 'equal',
  });
});

it('the parts have all slots, each once, and both texts as many', () => {
  const shares = fc.integer({ min: MIN_VARIANT_SHARE, max: MAX_VARIANT_SHARE });
  fc.assert(
    fc.property(shares, (share) => {
      const { A, B, rest } = variantSlots(share);
      expect([A[0], A[1], B[1], rest[1]]).toEqual([0, B[0], rest[0], VARIANT_SLOTS]);
      expect(A[1] - A[0]).toBe(B[1] - B[0]);
      expect((A[1] - A[0]) * 2).toBe((VARIANT_SLOTS * share) / 100);
    }),
  );
});
