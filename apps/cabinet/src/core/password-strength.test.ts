import { expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

it('rises with the length and the kinds of characters', () => {
  const passwords = ['short', 'aaaaaa', 'heliograph', 'Heliograph7', 'tea & 2 cups, Anna'];
  expect(passwords.map((password) => passwordStrength(password))).toEqual([0, 1, 2, 3, 4]);
});

it('is 0 for a password that the installation does not allow', () => {
  expect(passwordStrength('tea & 2 cups', { min: 16, max: 64 })).toBe(0);
});
