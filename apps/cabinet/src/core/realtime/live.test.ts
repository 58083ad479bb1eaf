import { ApiError } from '@heliograph/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

afterAll(() => vi.resetModules());

let untilAnswered: typeof import('../query.ts').untilAnswered;
let pollingOf: typeof import('./live.ts').pollingOf;
let polled: typeof import('./live.ts').polled;

// The session is read from the browser's storage when its module is loaded.
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', { getItem: () => null });
  ({ untilAnswered } = await import('../query.ts'));
  ({ pollingOf, polled } = await import('./live.ts'));
}, 60_000);

it.each([
  ['tasks', 'on', 'until answered'],
  ['notifications', 'on', 'until answered'],
  ['tasks', 'waiting', 'every 15 s'],
  ['tasks', 'off', 'every 15 s'],
  // Their rows also change without an event.
  ['users', 'on', 'every 15 s'],
  ['tariffs', 'on', 'every 15 s'],
  // They have no events.
  ['channels', 'on', 'every 15 s'],
  ['audit', 'on', 'every 15 s'],
] as const)('polls %s while the socket is %s as its events require', (noun, state, expected) => {
  expect(pollingOf(noun, state)).toBe(expected === 'until answered' ? untilAnswered : polled);
});

it('polls no more what is not there or not allowed', () => {
  const after = (error: Error | null) => polled({ state: { error } } as never);
  const refusal = (status: number) =>
    Object.assign(Object.create(ApiError.prototype) as ApiError, { status });
  expect(after(null)).toBe(15_000);
  expect(after(new Error('failed'))).toBe(15_000);
  expect(after(refusal(500))).toBe(15_000);
  expect(after(refusal(404))).toBe(false);
  expect(after(refusal(403))).toBe(false);
});
