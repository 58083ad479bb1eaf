import { expect, test } from 'vitest';
import { composeText } from './compose-text.ts';
import { countSegments, segmentsOf } from './segments.ts';

test.each([
  ['cafe\u0301', 'café'],
  ['\u0438\u0306\u0435\u0308', 'йё'],
  ['\u1112\u1161\u11ab', '한'],
  ['plain', 'plain'],
  ['\u212b\u2126', 'ÅΩ'],
  // Not NFKC: what looks different stays.
  ['ﬁ²Ⅷ', 'ﬁ²Ⅷ'],
  ['👨‍👩‍👧❤️', '👨‍👩‍👧❤️'],
])('%j is %j', (text, composed) => {
  expect(composeText(text)).toBe(composed);
});

test('a run of marks is composed in linear time', () => {
  const text = `e\u0301 ${'a\u0301\u0316'.padEnd(400_000, '\u0316\u0301')}`;
  expect(composeText(text).startsWith('é á')).toBe(true);
});

test('segments are those of the composed text', () => {
  const text = 'a'.repeat(155) + 'e\u0301'.repeat(5);
  expect(countSegments(text)).toMatchObject({ encoding: 'ascii', characters: 160, segments: 1 });
  expect(segmentsOf('й'.normalize('NFD').repeat(70))).toBe(1);
});
