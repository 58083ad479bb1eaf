import { expect, test } from 'vitest';
import { isBlank } from './invisible.ts';

test.each([
  '',
  ' \t\n\u00a0\u2028',
  '\u200b\u200d\ufeff',
  '\u3164',
  '\u2800',
  '\u00ad\u2062\u{e0041}',
  '\ufe0f',
  '\u0000\u0007',
])('%j is blank', (text) => expect(isBlank(text)).toBe(true));

test.each(['.', ' a ', '\u200b0', '❤️', '\u0301'])('%j is not', (text) =>
  expect(isBlank(text)).toBe(false),
);
