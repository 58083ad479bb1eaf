import { expect, test } from 'vitest';
import { decoded } from './reader/xml.ts';
import { workbookText } from './workbook-text.ts';

test.each(['_x0041_', 'a_x000D__x000A_', '__x0041_', '_x005F_x0041_', '_x41_', 'tea_house'])(
  '%s is read back as it is, and not as the characters that it names',
  (text) => expect(decoded(workbookText(text))).toBe(text),
);

test('a literal escape is written as Excel writes it', () => {
  expect(workbookText('_x0041_')).toBe('_x005F_x0041_');
});

test('what XML cannot hold is a space, and a cell holds no more than that of Excel', () => {
  expect(workbookText('a\u0001b\nc')).toBe('a b\nc');
  expect(workbookText('a'.repeat(40_000))).toHaveLength(32_767);
});
