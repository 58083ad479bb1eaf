import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { createFormats } from '../../core/formats.ts';
import { colorOf, wordsOf } from './notification-words.ts';

const TEXTS: Record<string, string> = {
  'notifications:types.SendingsBulkPaused.title': 'Paused',
  'notifications:types.SendingsBulkPaused.text': '{{title}}\nWhy: {{reason}}',
  'notifications:types.BalanceAccrual.title': 'Money came in',
  'notifications:types.BalanceAccrual.text': '{{amount}}',
  'errors:code.insufficient_funds': 'Not enough money.',
};
const t = ((key: string, options?: { defaultValue?: string }) =>
  TEXTS[key] ?? options?.defaultValue ?? key) as unknown as TFunction;
const formats = createFormats('en', 'RUB');
const words = (type: string, data: Record<string, unknown>) =>
  wordsOf(t, formats, { type, data, title: 'server title', text: 'server text' } as never);

it('fills in values as the reader knows them', () => {
  expect(words('SendingsBulkPaused', { title: 'Sale', reason: 'insufficient_funds' })).toEqual({
    title: 'Paused',
    lines: ['Sale', 'Why: Not enough money.'],
  });
  expect(words('BalanceAccrual', { amount: 1500 }).lines).toEqual(['₽1,500']);
});

it('leaves out a line whose value is not there', () => {
  expect(words('SendingsBulkPaused', { title: 'Sale', reason: null }).lines).toEqual(['Sale']);
});

it('falls back to what the server says of a type without texts', () => {
  expect(words('TariffUpdate', {})).toEqual({ title: 'server title', lines: ['server text'] });
});

it('colours by what happened', () => {
  expect(colorOf({ type: 'SendernameApproved' })).toBe('green');
  expect(colorOf({ type: 'BalanceLimit' })).toBe('red');
  expect(colorOf({ type: 'SendingsBulkPaused' })).toBe('blue');
  expect(colorOf({ type: 'WapiCreated' })).toBe('gray');
});
