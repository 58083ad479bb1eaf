import { afterAll, beforeAll, expect, it, vi } from 'vitest';

afterAll(() => vi.resetModules());

let untilAnswered: typeof import('../query.ts').untilAnswered;
let pollingOf: typeof import('./live.ts').pollingOf;

// The session is read from the browser's storage when its module is loaded.
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', { getItem: () => null });
  ({ untilAnswered } = await import('../query.ts'));
  ({ pollingOf } = await import('./live.ts'));
}, 60_000);

it.each([
  ['tasks', 'on', 'until answered'],
  ['notifications', 'on', 'until answered'],
  ['tasks', 'waiting', 15_000],
  ['tasks', 'off', 15_000],
  // Their rows also change without an event.
  ['users', 'on', 15_000],
  ['tariffs', 'on', 15_000],
  // They have no events.
  ['channels', 'on', 15_000],
  ['audit', 'on', 15_000],
] as const)('polls %s while the socket is %s as its events require', (noun, state, expected) => {
  expect(pollingOf(noun, state)).toBe(expected === 'until answered' ? untilAnswered : expected);
});
