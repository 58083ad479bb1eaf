import { expect, test } from 'vitest';
import { printedText, unprintable } from './printed-text.ts';

test.each<[string, string[]]>([
  ['ООО «Чайный дом» № 5 — 100 ₽', []],
  ['Société d’Été, Straße & Søn', []],
  // й of two characters, and a zero-width space.
  ['Чаи\u0306ный\u200b\tдом', []],
  ['Чай 茶 ☕ и ещё 茶', ['茶', '☕']],
  ['Люблю ❤\ufe0f', ['❤\ufe0f']],
  ['👨\u200d👩', ['👨', '👩']],
])('of %s documents cannot show %j', (text, expected) => {
  expect(unprintable(text)).toEqual(expected);
});

test('text is printed composed, without what nobody sees', () => {
  expect(printedText('Чаи\u0306\u200b\tдом\nдва')).toBe('Чай дом\nдва');
});
