import { expect, it } from 'vitest';
import { PASSWORD_LIMITS, passwordError } from './passwords.ts';

it.each([
  ['12345', 'too_small'],
  ['123456', null],
  ['tea & 2 cups, Ann!', null],
  ['tea & 2 cups, Anna!', 'too_big'],
  ['пароль', 'characters'],
  ['tab\ttab', 'characters'],
])('%j violates %s by default', (password, error) => {
  expect(passwordError(password, PASSWORD_LIMITS)).toBe(error);
});

it('applies the limits of an installation', () => {
  const limits = { min: 12, max: 64 };
  expect(passwordError('a'.repeat(11), limits)).toBe('too_small');
  expect(passwordError('a'.repeat(64), limits)).toBeNull();
});
