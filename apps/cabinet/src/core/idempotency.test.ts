import { expect, it } from 'vitest';
import { createIdempotencyKeys, randomKey } from './idempotency.ts';

it('keeps the key of the same words until the act is done', () => {
  let n = 0;
  const keys = createIdempotencyKeys(() => `key-${++n}`);
  expect(keys.keyFor({ text: 'a' })).toBe('key-1');
  expect(keys.keyFor({ text: 'a' })).toBe('key-1');
  expect(keys.keyFor({ text: 'b' })).toBe('key-2');
  keys.forget();
  expect(keys.keyFor({ text: 'b' })).toBe('key-3');
});

it('makes keys that do not repeat', () => {
  expect(randomKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomKey()).not.toBe(randomKey());
});
