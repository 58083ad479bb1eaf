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
} as TemplateRow;

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
    ['{nobody}', 'variable'],
    ['{firstName|friend}', undefined],
    ['Code %d{4}', undefined],
    ['Code %d{4} for {nobody}', 'variable'],
    ['', undefined],
  ])('text %j: %s', (text, rule) => {
    expect(brokenRules({ ...valuesOf(null, 'sms'), title: 'x', text }).text).toBe(rule);
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
