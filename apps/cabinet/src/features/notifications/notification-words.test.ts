import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { createFormats } from '../../core/formats.ts';
import { colorOf, placeOf, wordsOf } from './notification-words.ts';

const TEXTS: Record<string, string> = {
  'notifications:types.SendingsBulkPaused.title': 'Paused',
  'notifications:types.SendingsBulkPaused.text': '{{title}}\nWhy: {{reason}}',
  'notifications:types.BalanceAccrual.title': 'Money came in',
  'notifications:types.BalanceAccrual.text': '{{amount}}',
  'notifications:types.SpendCapReached.text':
    'Spent: {{spent}} of {{limit}}\nResets: {{resetsAt}}\nThe cap is {{zeroLimit}}.',
  'notifications:types.PaymentsRefundedAtAcquirer.text': '{{amount}} {{currency}}',
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
  expect(words('BalanceAccrual', { amount: 1500 }).lines).toEqual(['₽1,500.00']);
});

it('says amounts as money, and of a cap of 0 no share of it', () => {
  const spent = { spent: 950.9, currency: 'RUB', resetsAt: 'midnight' };
  expect(words('SpendCapReached', { ...spent, limit: 1000 }).lines).toEqual([
    'Spent: ₽950.90 of ₽1,000.00',
    'Resets: midnight',
  ]);
  expect(words('SpendCapReached', { ...spent, limit: 0 }).lines).toEqual(['The cap is ₽0.00.']);
  expect(words('PaymentsRefundedAtAcquirer', { amount: 1950.9, currency: 'EUR' }).lines).toEqual([
    '1,950.90 EUR',
  ]);
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
  expect(colorOf({ type: 'ContactsImportFailed' })).toBe('red');
  expect(colorOf({ type: 'SendingsBulkPaused' })).toBe('blue');
  expect(colorOf({ type: 'WapiCreated' })).toBe('gray');
});

it.each([
  ['SendingsBulkCompleted', { id: 't1' }, '/messages/tasks/t1'],
  ['SendernameRejected', { id: 's1' }, '/settings/sendernames?id=s1'],
  ['PatternApproved', { id: 'p1' }, '/messages/templates?id=p1'],
  ['ContactsImported', { ListId: 'l1' }, '/contacts/l1'],
  ['ContactsImportFailed', { ListId: 'l1' }, '/contacts/l1'],
  ['RecurringSendingFailed', { id: 'r1' }, '/messages/recurring'],
  ['AutomationPaused', { id: 'a1' }, '/messages/automations?id=a1'],
  ['TariffUpdate', {}, '/tariffs'],
  ['AuthNewDevice', { ip: '203.0.113.7' }, '/account/telemetry'],
  ['AuthEmail', {}, '/account/profile'],
  ['AuthPassword', {}, '/account/telemetry'],
  // Of before they named it.
  ['SendingsBulkCompleted', { title: 'Sale' }, null],
  ['BalanceAccrual', { amount: 5 }, null],
] as const)('%s of %j leads to %s', (type, data, place) => {
  expect(placeOf({ type, data })).toBe(place);
});
