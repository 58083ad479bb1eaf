import { expect, it } from 'vitest';
import { messageParts } from './navigation.ts';

it.each([
  [['sendings.get', 'sendingsIncoming.get', 'tasks.get', 'templates.get'], 5],
  [['sendingsIncoming.get', 'tasks.get'], 3],
  [['templates.get'], 1],
  [['sendingsIncoming.get'], 0],
  [[], 0],
])('who holds %j sees %i parts of the messages', (held, count) => {
  expect(messageParts((permission) => held.includes(permission))).toHaveLength(count);
});
