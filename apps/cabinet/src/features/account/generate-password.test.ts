import { passwordError } from '@heliograph/domain';
import { expect, it } from 'vitest';
import { generatePassword } from './generate-password.ts';

it.each([
  [{ min: 6, max: 18 }, 8],
  [{ min: 12, max: 64 }, 12],
  [{ min: 6, max: 7 }, 7],
])('within %j it has %i characters that the installation accepts', (limits, length) => {
  const all = Array.from({ length: 200 }, () => generatePassword(limits));
  for (const password of all) {
    expect(password).toHaveLength(length);
    expect(passwordError(password, limits)).toBeNull();
  }
  expect(new Set(all).size).toBe(200);
});
