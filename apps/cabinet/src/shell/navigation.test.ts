import type { Settings } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { isOffered } from '../core/offered.ts';
import { messageParts, NAVIGATION } from './navigation.ts';

it.each([
  [['sendings.get', 'sendingsIncoming.get', 'tasks.get', 'templates.get'], 5],
  [['sendingsIncoming.get', 'tasks.get'], 3],
  [['templates.get'], 1],
  [['sendingsIncoming.get'], 0],
  [[], 0],
])('who holds %j sees %i parts of the messages', (held, count) => {
  expect(messageParts((permission) => held.includes(permission))).toHaveLength(count);
});

it.each([
  ['main', true],
  ['alternate', false],
] as const)('the brand %s has integrations: %s', (brand, has) => {
  const settings = { advanced: { isRestricted: false }, frontend: { brand } } as Settings;
  const places = NAVIGATION.flatMap(({ items }) => items).filter((item) =>
    isOffered(item, settings),
  );
  expect(places.some(({ to }) => to === '/settings/integrations')).toBe(has);
});
