import { expect, it } from 'vitest';
import { acceptedDecimal, isDecimalPrefix, parseDecimal, tidyDecimal } from './decimal-text.ts';

it.each(['', '0', '15', '15,', '15.5', '15,50', '1 000,5', '1\u00a0000', ',5'])(
  'lets %j be typed with two decimals',
  (text) => {
    expect(isDecimalPrefix(text, 2)).toBe(true);
  },
);

it.each(['-1', '1.234', '1,2,3', '1.2.3', 'a', '1e5', '٣', '1'.repeat(13), '+1'])(
  'keeps %j out of a field with two decimals',
  (text) => {
    expect(isDecimalPrefix(text, 2)).toBe(false);
  },
);

it('knows no separator without decimals, and a minus only where it is allowed', () => {
  expect(isDecimalPrefix('1.', 0)).toBe(false);
  expect(isDecimalPrefix('-1', 0, true)).toBe(true);
  expect(isDecimalPrefix('1-', 0, true)).toBe(false);
});

it.each([
  ['15,5', 15.5],
  ['1 000.25', 1000.25],
  [',5', 0.5],
  ['-3', -3],
  ['15,', 15],
])('reads %j as %d', (text, number) => {
  expect(parseDecimal(text, 2)).toBe(number);
});

it.each(['', '-', ',', '1.234', '0x10', 'Infinity', '1e5'])('reads %j as no number', (text) => {
  expect(parseDecimal(text, 2)).toBeNull();
});

it('removes spaces and a trailing separator', () => {
  expect(tidyDecimal(' 1 000,')).toBe('1000');
});

it.each([
  ['1\u00a0000,50\u00a0₽', '1000,50'],
  ['₽\u00a029.899,50', '29899,50'],
  ['₽29,899.50', '29899.50'],
  ['1.234.567', '1234567'],
  ['1,234,567.8', '1234567.8'],
  ['$5', '5'],
])('reads a pasted %j as %j', (pasted, accepted) => {
  expect(acceptedDecimal(pasted, { inputType: 'insertFromPaste' }, 2)).toBe(accepted);
});

it.each(['1.234', '1,234', '12 teas', '−5', '1.23.456', '1,234.567', '０１'])(
  'does not guess what a pasted %j is',
  (pasted) => {
    expect(acceptedDecimal(pasted, { inputType: 'insertFromPaste' }, 2)).toBeNull();
  },
);

it('accepts a pasted minus where numbers have a sign, and groups only of what is pasted', () => {
  expect(acceptedDecimal('−1.234,5\u00a0€', { inputType: 'insertFromPaste' }, 2, true)).toBe(
    '-1234,5',
  );
  expect(acceptedDecimal('1.234,5', { inputType: 'insertText' }, 2)).toBeNull();
});
