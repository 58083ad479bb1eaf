import { expect, it } from 'vitest';
import { isSame } from './same-values.ts';

const file = new File(['a'], 'a.txt');

it.each([
  [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ file }, { file }, true],
  [{ file }, { file: new File(['a'], 'a.txt') }, false],
  [{ file }, { file: null }, false],
  [{ at: new Date(1) }, { at: new Date(1) }, true],
  [{ at: new Date(1) }, { at: new Date(2) }, false],
  [{ at: new Date(1) }, { at: {} }, false],
  [[1, 2], [2, 1], false],
  [[1], [1, undefined], false],
  [[], {}, false],
  [{ a: null }, { a: {} }, false],
  [Number.NaN, Number.NaN, true],
])('%j and %j are the same values: %s', (a, b, expected) => {
  expect(isSame(a, b)).toBe(expected);
  expect(isSame(b, a)).toBe(expected);
});
