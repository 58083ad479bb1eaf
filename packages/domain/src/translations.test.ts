import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAG, MAX_LANGUAGE_TAG, translated, translationFor } from './translations.ts';

describe('the translation for a language', () => {
  const all = [{ locale: 'zh-Hant' }, { locale: 'pt-BR' }, { locale: 'pt' }, { locale: 'de' }];
  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de_AT', 'de'],
    ['pt', 'pt'],
    ['pt_br', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh', 'zh-Hant'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['d', undefined],
    ['deu', undefined],
    ['fr', undefined],
    ['-', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s', (wanted, locale) => {
    expect(translationFor(all, wanted)?.locale).toBe(locale);
  });
});

test.each(['de', 'fil', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419'])('%s is a tag', (tag) => {
  expect(tag).toMatch(LANGUAGE_TAG);
  expect(tag.length).toBeLessThanOrEqual(MAX_LANGUAGE_TAG);
});
test.each(['', 'd', 'DE', 'de_AT', 'de-at', 'de-', 'zh-hant', 'de-AT-x', 'de\n'])(
  '%j is none',
  (tag) => {
    expect(tag).not.toMatch(LANGUAGE_TAG);
  },
);

test('a translation replaces texts, and leaves what it does not have', () => {
  const message = {
    title: 'Order',
    payload: { sender: 'TEA', text: 'Hello' },
    fallbacks: [
      { type: 'email', payload: { subject: 'Hello', text: 'Tea' } },
      { type: 'sms', payload: { text: 'Tea' } },
    ],
  };
  const by = { payload: { text: 'Hallo' }, fallbacks: [{ subject: 'Hallo' }] };
  expect(translated(message, by)).toEqual({
    title: 'Order',
    payload: { sender: 'TEA', text: 'Hallo' },
    fallbacks: [
      { type: 'email', payload: { subject: 'Hallo', text: 'Tea' } },
      message.fallbacks[1],
    ],
  });
  // Of fallbacks that were removed since.
  const more = { payload: {}, fallbacks: [{}, {}, { text: 'x' }] };
  expect(translated(message, more)).toEqual(message);
  expect(translated(message, undefined)).toBe(message);
});
