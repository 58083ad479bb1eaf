import { expect, it } from 'vitest';
import { untilAnswered } from '../query.ts';
import { pollingOf } from './live.ts';

it.each([
  ['tasks', 'on', untilAnswered],
  ['notifications', 'on', untilAnswered],
  ['tasks', 'waiting', 15_000],
  ['tasks', 'off', 15_000],
  // Their rows also change without an event.
  ['users', 'on', 15_000],
  ['tariffs', 'on', 15_000],
  // They have no events.
  ['channels', 'on', 15_000],
  ['audit', 'on', 15_000],
] as const)('polls %s while the socket is %s as its events require', (noun, state, expected) => {
  expect(pollingOf(noun, state)).toBe(expected);
});
