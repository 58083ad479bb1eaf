import { afterAll, expect, it, vi } from 'vitest';

afterAll(() => vi.resetModules());

const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', {});
const sent = vi.fn<(url: string, token: string) => void>();
vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string> }) => {
  sent(url, init.headers.authorization!);
  return Response.json({ ended: 1 });
});

it('returns from another account once, however often it is clicked, and then signs out', async () => {
  vi.resetModules();
  const { session } = await import('../core/session/session.ts');
  const { leave } = await import('./leave.ts');
  session.start('own');
  session.actAs('borrowed');
  await Promise.all([leave(), leave()]);
  expect(session.get()).toMatchObject({ token: 'own', previous: null, reason: 'returned' });
  expect(sent.mock.calls).toEqual([['/api/logout', 'borrowed']]);
  session.start('own');
  await leave();
  expect(session.get()).toMatchObject({ token: null, reason: 'signedOut' });
});
