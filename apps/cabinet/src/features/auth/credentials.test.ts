import { Password, Username } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { isComplete } from './credentials.ts';

describe('isComplete', () => {
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
        expect([username, password, isComplete(username, password)]).toEqual([
          username,
          password,
          byContract,
        ]);
      }
    }
  });
});
