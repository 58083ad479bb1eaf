import type { BalanceLimit } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { changeOf } from './limit-change.ts';

const limit = (balance: number): BalanceLimit => ({
  balance,
  includeOverdraft: false,
  invoice: false,
  isReached: false,
});
const changed = (stored: number[], former: number | null, next: number | null, index: number) =>
  changeOf(stored.map(limit), {
    ...(former !== null && { former: limit(former) }),
    next: next === null ? null : { balance: next },
    index,
  }).limits.map(({ balance }) => balance);

it.each([
  ['adds one', [100], null, 50, 1, [100, 50]],
  ['adds one beside those of another tab', [100, 200], null, 50, 1, [100, 50, 200]],
  ['changes one', [100, 200], 200, 50, 1, [100, 50]],
  ['changes one that has moved', [300, 100, 200], 100, 50, 0, [50, 300, 200]],
  ['adds a changed one that was removed elsewhere', [], 100, 50, 1, [50]],
  ['removes one', [100, 200, 300], 200, null, 1, [100, 300]],
  ['removes nothing that was changed elsewhere', [150, 200], 100, null, 0, [150, 200]],
])('%s', (_, stored, former, next, index, after) => {
  expect(changed(stored, former, next, index)).toEqual(after);
});

it('names the limits that it changes', () => {
  const { former } = changeOf([limit(100)], { next: { balance: 50 }, index: 1 });
  expect(former).toEqual([{ balance: 100, includeOverdraft: false, invoice: false }]);
});
