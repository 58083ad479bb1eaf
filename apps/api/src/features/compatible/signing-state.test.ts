import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureOf, signingState } from './signing-state.ts';

test('what is stored of a key signs as the key does, for texts of each length around a block', () => {
  for (const key of ['', 'k', 'Zr3vQ8dL_0-abcdefghijklmnopqrstuvwxyzABCDEF', 'x'.repeat(64)]) {
    const state = signingState(key);
    expect(Buffer.from(state, 'base64')).toHaveLength(40);
    for (let length = 0; length < 200; length++) {
      const text = 'https://shop.example/ж?'.repeat(10).slice(0, length);
      const expected = createHmac('sha1', key).update(text).digest('base64');
      expect(signatureOf(state, text)).toBe(expected);
    }
  }
});

test('the example of the documentation on the security of callbacks has its signature', () => {
  const state = signingState('12345');
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const parameters =
    'CallSidCA1234567890ABCDECaller+14158675310Digits1234From+14158675310To+18005551212';
  expect(signatureOf(state, `${url}${parameters}`)).toBe('GvWf1cFY/Q7PnoempGyD5oXAezc=');
});

test('a key that is hashed before it is used is refused', () => {
  expect(() => signingState('x'.repeat(65))).toThrow('longer than a block');
});
