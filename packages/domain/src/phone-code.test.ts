import { expect, test } from 'vitest';
import { LOCALES } from './locales.ts';
import { phoneCodeText } from './phone-code.ts';
import { countSegments } from './segments.ts';

test.each(LOCALES)('the SMS in %s contains product and code in one segment', (locale) => {
  const text = phoneCodeText(locale, { title: 'Heliograph', code: '042917' });
  expect(text).toContain('Heliograph');
  expect(text).toContain('042917');
  expect(text).not.toMatch(/[{}]/);
  expect(countSegments(text).segments).toBe(1);
});

test('accepts any name of the product', () => {
  expect(phoneCodeText('en', { title: "$& {code} $'", code: '123456' })).toBe(
    "$& {code} $': your code is 123456. Do not share it with anyone.",
  );
});
