import { Password, Username } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { missingOf } from './credentials.ts';

describe('missingOf', () => {
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

  it('says the same as the contract', () => {
    for (const username of usernames) {
      for (const password of passwords) {
        const byContract =
          Username.safeParse(username).success && Password.safeParse(password).success;
        expect([username, password, missingOf(username, password) === null]).toEqual([
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
  ])('of %j and %j it is %j that is told', (username, password, told) => {
    expect(missingOf(username, password)).toBe(told);
  });
});
