import { expect, test } from 'vitest';
import { neutralizeCell, restoreCell } from './index.ts';

test.each([
  '=1+1',
  '+79001234567',
  "-1+cmd|' /C calc'!A0",
  '-5',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
])('%j is escaped as a formula and restored', (cell) => {
  expect(neutralizeCell(cell)).toBe(`'${cell}`);
  expect(restoreCell(neutralizeCell(cell))).toBe(cell);
});

test.each(['', 'Anna', "'Anna", "O'Brien", '79001234567', ' =1', "''=1"])(
  '%j is left unchanged',
  (cell) => {
    expect(neutralizeCell(cell)).toBe(cell);
    expect(restoreCell(cell)).toBe(cell);
  },
);
