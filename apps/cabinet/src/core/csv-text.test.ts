import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test.each([
  ['en', '12.05;-1234.000001;7;'],
  ['ru', '12,05;-1234,000001;7;'],
  ['de', '12,05;-1234,000001;7;'],
  ['es', '12,05;-1234,000001;7;'],
  ['fr', '12,05;-1234,000001;7;'],
  ['it', '12,05;-1234,000001;7;'],
  ['pt', '12,05;-1234,000001;7;'],
])('numbers of a file in %s have its decimal mark and all digits', (locale, line) => {
  expect(csvText([[12.05, -1234.000001, 7, null]], locale)).toBe(`\uFEFF${line}\r\n`);
});

test('a text keeps its points, and is no formula', () => {
  expect(csvText([['v1.5', '=1+1', 'a"b']], 'de')).toBe(`\uFEFF"v1.5";"'=1+1";"a""b"\r\n`);
});
