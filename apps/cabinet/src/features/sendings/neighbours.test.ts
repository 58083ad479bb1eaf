import { expect, it } from 'vitest';
import { keyedNeighbour, neighboursOf } from './neighbours.ts';

it('finds the rows around one', () => {
  const ids = ['a', 'b', 'c'];
  expect(neighboursOf(ids, 'b')).toEqual({ previous: 'a', next: 'c' });
  expect(neighboursOf(ids, 'a')).toEqual({ previous: null, next: 'b' });
  expect(neighboursOf(ids, 'c')).toEqual({ previous: 'b', next: null });
  expect(neighboursOf(ids, 'x')).toEqual({ previous: null, next: null });
  expect(neighboursOf(ids, null)).toEqual({ previous: null, next: null });
});

it('follows the arrows but where they mean something else', () => {
  const around = { previous: 'a', next: 'c' };
  const key = (key: string, shiftKey = false) => ({
    key,
    shiftKey,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
  });
  const at = (isWithin: boolean) => ({ closest: () => (isWithin ? {} : null) }) as never;
  expect(keyedNeighbour(key('ArrowLeft'), at(false), around)).toBe('a');
  expect(keyedNeighbour(key('ArrowRight'), at(false), around)).toBe('c');
  expect(keyedNeighbour(key('ArrowRight'), at(true), around)).toBeNull();
  expect(keyedNeighbour(key('ArrowRight', true), at(false), around)).toBeNull();
  expect(keyedNeighbour(key('Enter'), at(false), around)).toBeNull();
});
