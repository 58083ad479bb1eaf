import { afterEach, expect, test } from 'vitest';
import { changeLocale, i18n, loadTexts } from './i18n.ts';

afterEach(() => changeLocale('en'));

test.each([
  ['en', '10,000'],
  ['de', '10.000'],
  ['ru', '10\u00a0000'],
] as const)('a number in a text is grouped as in %s', async (locale, number) => {
  await loadTexts(['suppressions']);
  await changeLocale(locale);
  expect(i18n.t('suppressions:addressesHint', { count: 10_000 })).toContain(number);
});

test('texts are inserted as they are', async () => {
  await loadTexts(['requisites']);
  expect(i18n.t('requisites:saved', { title: '10000' })).toContain('10000');
});
