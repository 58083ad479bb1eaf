import type { TemplateRow } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import {
  brokenRules,
  buttonsOf,
  changesOf,
  decisionsFor,
  inputOf,
  isRewritten,
  kindsOf,
  ownVariables,
  previewOf,
  valuesOf,
} from './template-values.ts';

const row = {
  title: 'Sale',
  type: 'viber',
  payload: {
    sender: 'TEA',
    text: 'Hello',
    button: { text: 'Buy', url: 'https://tea.example' },
  },
  isActive: true,
  translations: [],
} as unknown as TemplateRow;

describe('a decision', () => {
  it.each([
    ['advertising', 'reseller', ['approved', 'rejected']],
    ['service', 'reseller', ['rejected']],
    ['transactional', 'reseller', ['rejected']],
    ['service', 'manager', ['approved', 'rejected']],
  ] as const)('about one of %s by a %s: %o', (group, level, expected) => {
    const pending = { moderation: 'pending', OwnerId: 'c', group } as const;
    expect(decisionsFor(pending, { level, OwnerId: 'r' })).toEqual(expected);
  });
});

describe('what is wrong with a template', () => {
  it.each([
    ['', 'required'],
    ['   ', 'required'],
    ['x'.repeat(51), 'too_big'],
    ['Sale', undefined],
  ])('title %j: %s', (title, rule) => {
    expect(brokenRules({ ...valuesOf(null, 'sms'), title }).title).toBe(rule);
  });

  it.each([
    ['{firstName', undefined],
    ['{1st}', undefined],
    ['{order}', undefined],
    ['{constructor}', 'variable'],
    ['{firstName|friend}', undefined],
    ['Code %d{4}', undefined],
    ['Code %d{4} for {constructor}', 'variable'],
    ['', undefined],
  ])('text %j: %s', (text, rule) => {
    expect(brokenRules({ ...valuesOf(null, 'sms'), title: 'x', text }).text).toBe(rule);
  });
});

it.each([
  ['Order {order} of {shop|us} for {firstName}, {unsubscribe}', ['{order}', '{shop}']],
  ['{custom21} {custom20} {{order}}', ['{custom21}']],
  ['{constructor}', []],
])('the variables of programs in %j are %j', (text, expected) => {
  expect(ownVariables(text)).toEqual(expected);
});

describe('translations', () => {
  const german = {
    locale: 'de',
    payload: { text: 'Hallo', button: { text: 'Los', url: 'https://tea.example' } },
    fallbacks: [{ text: 'Ade' }],
  };
  const said = { ...row, translations: [german, { locale: 'fr', payload: {}, fallbacks: [] }] };
  const before = valuesOf(said, 'sms');

  it('are edited by their texts; what the drawer does not show stays', () => {
    const [de, fr] = before.translations;
    const values = { ...before, translations: [{ ...de!, text: 'Servus' }, fr!] };
    expect(isRewritten(values, before)).toBe(true);
    expect(changesOf(values, before, said)).toEqual({
      translations: [
        { ...german, payload: { ...german.payload, text: 'Servus' } },
        { locale: 'fr', payload: {}, fallbacks: [] },
      ],
    });
    expect(changesOf(before, before, said)).toEqual({});
  });

  it('are removed and added', () => {
    const values = { ...before, translations: [{ locale: 'it', subject: 'x', text: 'Ciao' }] };
    expect(changesOf(values, before, said)).toEqual({
      translations: [{ locale: 'it', payload: { text: 'Ciao' }, fallbacks: [] }],
    });
    expect(brokenRules({ ...values, text: '{constructor}' })).toEqual({ text: 'variable' });
    const broken = [...values.translations, { locale: 'es', subject: '', text: '{constructor}' }];
    expect(brokenRules({ ...values, translations: broken })).toEqual({
      'translations.1.text': 'variable',
    });
  });

  it('lose the buttons of another channel with it', () => {
    const { translations } = changesOf({ ...before, type: 'sms', sender: '' }, before, said);
    expect(translations).toEqual([
      { locale: 'de', payload: { text: 'Hallo' }, fallbacks: [{ text: 'Ade' }] },
      { locale: 'fr', payload: {}, fallbacks: [] },
    ]);
  });
});

describe('what is saved', () => {
  const same = valuesOf(row, 'sms');

  it('is nothing when nothing was changed', () => {
    expect(changesOf(same, same, row)).toEqual({});
    expect(isRewritten(same, same)).toBe(false);
  });

  it('is a title alone, which asks for no moderation', () => {
    expect(changesOf({ ...same, title: ' Autumn ' }, same, row)).toEqual({ title: 'Autumn' });
  });

  it('is a group alone, which asks for moderation', () => {
    const values = { ...same, group: 'service' as const };
    expect(changesOf(values, same, row)).toEqual({ group: 'service' });
    expect(isRewritten(values, same)).toBe(true);
  });

  it('is the whole payload with a new text, its button kept', () => {
    const values = { ...same, text: 'Bye' };
    expect(isRewritten(values, same)).toBe(true);
    expect(changesOf(values, same, row)).toEqual({
      type: 'viber',
      payload: { ...row.payload, text: 'Bye' },
    });
  });

  it('is not what somebody else has changed meanwhile', () => {
    const now = { ...row, title: 'Summer sale', isActive: false };
    expect(changesOf({ ...same, group: 'service' }, same, now)).toEqual({ group: 'service' });
  });

  it('drops what another channel could not carry', () => {
    expect(inputOf({ ...same, type: 'sms' }, row).payload).toEqual({
      sender: 'TEA',
      text: 'Hello',
    });
  });

  it('has a subject only in an e-mail', () => {
    const values = { ...same, subject: 'News' };
    expect(inputOf(values, row).payload).not.toHaveProperty('subject');
    expect(inputOf({ ...values, type: 'email' }, null).payload).toHaveProperty('subject', 'News');
  });
});

it('previews a text with names in place of values, and an unfinished one as it is', () => {
  expect(previewOf('Hi {firstName|friend}')).toBe('Hi ‹firstName›');
  expect(previewOf('Hi {first')).toBe('Hi {first');
  expect(previewOf('{firstName}, code %d{4}')).toBe('‹firstName›, code ‹%d›');
});

it('tells what else a template carries', () => {
  expect(buttonsOf(row)).toEqual(['Buy']);
  const buttons = [{ text: 'Yes', action: 'y' }];
  expect(buttonsOf({ payload: { buttons, button: null } })).toEqual(['Yes']);
  expect(kindsOf(row)).toEqual([]);
  expect(kindsOf({ payload: { image: 'id', audio: 'id', file: null } })).toEqual([
    'image',
    'audio',
  ]);
});
