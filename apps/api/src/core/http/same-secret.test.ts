import { expect, test } from 'vitest';
import { isSameSecret } from './same-secret.ts';

test.each([
  ['secret', 'secret', true],
  [Buffer.from('secret'), 'secret', true],
  ['secreT', 'secret', false],
  ['', 'secret', false],
  ['secret and more', 'secret', false],
  [null, 'secret', false],
  [undefined, '', false],
])('%j against %j: %s', (given, wanted, isSame) => {
  expect(isSameSecret(given, wanted)).toBe(isSame);
});
