import { Password, Username } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { incompleteReason } from './credentials.ts';

describe('incompleteReason', () => {
  const usernames = [
    'anna',
    'customer',
    'anna@example.com',
    ' spaced ',
    'имя-имя',
    'a'.repeat(150),
    'a'.repeat(151),
  ];
  const passwords = ['12345', 'heliograph', 'пароль12', 'a'.repeat(18), 'a'.repeat(19)];

  it('agrees with the contract', () => {
    for (const username of usernames) {
      for (const password of passwords) {
        const byContract =
          Username.safeParse(username).success && Password.safeParse(password).success;
        expect([username, password, incompleteReason(username, password) === null]).toEqual([
          username,
          password,
          byContract,
        ]);
      }
    }
  });

  it.each([
    ['', '', 'missing'],
    ['customer', '', 'missing'],
    ['', 'heliograph', 'missing'],
    ['customer', '12345', 'password'],
    ['anna', 'heliograph', 'username'],
    ['customer', 'heliograph', null],
  ])('of %j and %j is %j', (username, password, reason) => {
    expect(incompleteReason(username, password)).toBe(reason);
  });
});
