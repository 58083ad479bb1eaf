import type { User } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { changesIdentity, invalidField, profileBody, profileValues } from './profile-values.ts';

const me = {
  referralCode: 'TEA',
  data: {
    firstName: 'Anna',
    email: 'anna@tea.example',
    phone: '+79161234567',
    country: 'Russia',
  },
} as User;
const values = profileValues(me);

it('sends only what was changed, so that nothing pending is cancelled', () => {
  expect(profileBody(values, me)).toEqual({});
  expect(profileBody({ ...values, lastName: ' Orlova ' }, me)).toEqual({
    data: { lastName: 'Orlova' },
  });
  expect(profileBody({ ...values, firstName: '' }, me)).toEqual({ data: { firstName: null } });
  expect(profileBody({ ...values, referralCode: '' }, me)).toEqual({ referralCode: null });
});

it('a new e-mail or phone takes the password along', () => {
  const next = { ...values, email: 'new@tea.example', password: 'secret' };
  expect(changesIdentity(values, me)).toBe(false);
  expect(changesIdentity(next, me)).toBe(true);
  expect(profileBody(next, me)).toEqual({ data: { email: 'new@tea.example' }, password: 'secret' });
  expect(profileBody({ ...next, email: values.email }, me)).toEqual({});
});

it.each([
  [{}, null],
  [{ firstName: 'Anna-Maria' }, null],
  [{ firstName: '<b>' }, 'firstName'],
  [{ lastName: 'x'.repeat(200) }, 'lastName'],
  [{ email: '' }, 'email'],
  [{ email: 'nonsense', password: 'x' }, 'email'],
  [{ phone: '' }, 'phone'],
  [{ phone: '12', password: 'x' }, 'phone'],
  [{ email: 'nonsense' }, 'email'],
  [{ email: 'new@tea.example' }, 'password'],
  [{ referralCode: 'a b' }, 'referralCode'],
])('%j cannot be saved because of %s', (patch, field) => {
  expect(invalidField({ ...values, ...patch }, me)).toBe(field);
});
