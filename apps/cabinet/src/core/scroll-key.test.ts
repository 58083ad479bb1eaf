import { expect, it } from 'vitest';
import { scrollKey } from './scroll-key.ts';

it('keeps the positions of the first pages of documents apart', () => {
  const at = (pathname: string, key = 'default') =>
    scrollKey({ pathname, key, search: '?page=2', hash: '', state: null });
  expect(at('/storage')).not.toBe(at('/contacts'));
  expect(at('/storage')).toBe(at('/storage'));
  expect(at('/storage', 'k1')).toBe('k1');
});
