import { expect, test } from 'vitest';
import { timesOf, uuidFloor } from './uuid.ts';

test('what was not changed since is changed when it is created', () => {
  const createdAt = '2026-12-01T09:05:17.861Z';
  const id = uuidFloor(createdAt);
  const timesWith = (updatedAt: string) => timesOf({ id, updatedAt: new Date(updatedAt) });
  expect(timesWith('2026-12-01T09:05:17.803Z')).toEqual({ createdAt, updatedAt: createdAt });
  const later = '2026-12-01T09:05:18.000Z';
  expect(timesWith(later)).toEqual({ createdAt, updatedAt: later });
});
