import { expect, test } from 'vitest';
import { isSamePerson, mailboxOf, maskName } from './same-person.ts';

test.each([
  ['anna@example.com', 'anna@example.com'],
  [' Anna@Example.COM ', 'anna@example.com'],
  ['anna+promo@example.com', 'anna@example.com'],
  ['an.na+1@gmail.com', 'anna@gmail.com'],
  ['ANNA@googlemail.com', 'anna@gmail.com'],
  ['an.na@example.com', 'an.na@example.com'],
  ['an.na+x@ya.ru', 'an-na@yandex.ru'],
  ['+tag@example.com', '@example.com'],
  ['anna', 'anna'],
  ['@', '@'],
])('the mailbox of %j is %j', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));

test('one phone or one mailbox is one person, and missing contacts are not equal', () => {
  const phone = '+79990000001';
  expect(isSamePerson({ phone }, { phone, email: 'a@example.com' })).toBe(true);
  expect(isSamePerson({ email: 'a+1@example.com' }, { email: 'A@example.com' })).toBe(true);
  expect(isSamePerson({ email: 'a@example.com' }, { email: 'b@example.com' })).toBe(false);
  for (const none of [null, undefined, ''])
    expect(isSamePerson({ phone: none, email: none }, { phone: none, email: none })).toBe(false);
});

test.each([
  ['anna.smith', 'an•••'],
  ['anna', 'a•••'],
  ['', '•••'],
])('%j is shown as %j', (name, masked) => expect(maskName(name)).toBe(masked));
