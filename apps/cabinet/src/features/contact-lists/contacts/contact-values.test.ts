import { expect, test } from 'vitest';
import { phoneRule, readContact, readField, soughtPhone, valuesOf } from './contact-values.ts';

test.each([
  ['date', '1990-12-31', { value: '1990-12-31' }],
  ['date', '31.12.1990', { value: '1990-12-31' }],
  ['date', '12/31/1990', { value: '1990-12-31' }],
  ['date', '31.02.1990', { rule: 'date' }],
  ['date', 'yesterday', { rule: 'date' }],
  ['phone', ' 8 (916) 123-45-67 ', { value: '8 (916) 123-45-67' }],
  ['phone', '12', { rule: 'phone' }],
  ['email', 'anna@', { rule: 'email' }],
  ['email', 'anna@example.org', { value: 'anna@example.org' }],
  ['firstName', '  ', { value: null }],
  ['firstName', 'x'.repeat(101), { rule: 'too_long' }],
  ['custom20', 'x'.repeat(501), { rule: 'too_long' }],
  ['gender', 'female', { value: 'female' }],
] as const)('%s %j is read as %o', (field, typed, expected) => {
  expect(readField(field, typed)).toEqual(expected);
});

const empty = valuesOf(null);

test('a contact has a phone or an e-mail', () => {
  expect(readContact({ ...empty, firstName: 'Анна' })).toEqual({
    broken: { phone: 'phoneOrEmail' },
  });
  expect(readContact({ ...empty, email: 'a@b.org' })).toMatchObject({
    changes: { email: 'a@b.org', phone: null, custom01: null },
  });
});

test('everything that is wrong is told at once', () => {
  const values = { ...empty, phone: '1', email: 'x', date: '0' };
  expect(readContact(values)).toEqual({
    broken: { phone: 'phone', email: 'email', date: 'date' },
  });
});

test.each([
  ['8 (916) 123-45-67', 'RU', null],
  ['701 123 45 67', 'KZ', null],
  ['701 123 45 67', 'RU', 'phone'],
  ['+7 905 000-00-0x', 'RU', 'phone'],
  ['', 'RU', null],
  [null, 'RU', null],
])('the phone %j in %s breaks %s', async (typed, country, rule) => {
  expect(await phoneRule(typed, country)).toBe(rule);
});

test.each([
  ['8 (916) 123-45-67', '8 (916) 123-45-67'],
  [' +79161234567 ', '+79161234567'],
  ['4567', undefined],
  ['anna@example.org', undefined],
  ['', undefined],
])('%j may be added as %j', (search, phone) => {
  expect(soughtPhone(search)).toBe(phone);
});

test.each([
  ['number', '1 250,5', { value: '1250.5' }],
  ['number', 'many', { rule: 'number' }],
  ['date', '31.12.1990', { value: '1990-12-31' }],
  ['date', '31.02.1990', { rule: 'date' }],
  ['boolean', 'true', { value: 'true' }],
  ['choice', 'gold', { value: 'Gold' }],
  ['choice', 'Tin', { rule: 'choice' }],
  ['text', '1 250,5', { value: '1 250,5' }],
] as const)('a field of the type %s reads %j as %o', (type, typed, expected) => {
  const values = type === 'choice' ? ['Gold'] : [];
  expect(readField('custom01', typed, { type, values })).toEqual(expected);
});

test('a value from before its field had a type stays as long as nobody changes it', () => {
  const before = { ...empty, email: 'a@b.org', custom01: 'many' } as never;
  const typeOf = (field: string) =>
    field === 'custom01' ? ({ type: 'number', values: [] } as const) : undefined;
  const values = valuesOf(before);
  expect(readContact(values, typeOf, before)).toMatchObject({ changes: { custom01: 'many' } });
  expect(readContact({ ...values, custom01: 'more' }, typeOf, before)).toEqual({
    broken: { custom01: 'number' },
  });
});
