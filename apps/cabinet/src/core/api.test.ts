import { auth, users } from '@heliograph/contract';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

afterAll(() => vi.resetModules());

const token = (name: string, sub = 'own') => `x.${btoa(JSON.stringify({ sub, name }))}.y`;
const [former, fresh, other] = [token('former'), token('fresh'), token('other', 'other')];

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

/** A server that knows one valid token; `renew` answers when `release` is called. */
let valid: string;
let release: () => void;
const sent: [path: string, token: string | undefined][] = [];
const server = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const path = String(url).replace('/api', '');
  const given = (init!.headers as Record<string, string>).authorization;
  sent.push([path, given]);
  if (given !== valid) return Response.json({ code: 'session_ended' }, { status: 401 });
  if (path !== '/login/renew') return Response.json({ id: 'me' });
  valid = fresh;
  await new Promise<void>((resolve) => (release = resolve));
  return Response.json({ token: fresh });
};

/** One lock of all tabs, as a browser has it on a secure page. */
function createLocks(): unknown {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_: string, work: () => Promise<unknown>) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function tab() {
  vi.resetModules();
  const { session } = await import('./session/session.ts');
  return { session, ...(await import('./api.ts')) };
}

beforeEach(() => {
  kept.clear();
  sent.length = 0;
  valid = former;
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('fetch', server);
  vi.stubGlobal('navigator', {});
});

it.each([
  ['this tab', {}, false],
  ['this tab with locks', { locks: createLocks() }, false],
  ['another tab', { locks: createLocks() }, true],
])(
  'a call that is refused while %s replaces the token is sent again with the new one',
  async (_, navigator, isElsewhere) => {
    vi.stubGlobal('navigator', navigator);
    const first = await tab();
    first.session.start(former);
    const second = isElsewhere ? await tab() : first;
    const { identity } = second.session.get();
    const renewed = first.replaceToken((client) => client(auth.renew));
    await expect.poll(() => valid).toBe(fresh);
    const answer = second.api(users.me);
    await expect.poll(() => sent.at(-1)).toEqual(['/users/me', former]);
    release();
    await renewed;
    expect(await answer).toEqual({ id: 'me' });
    expect(sent.at(-1)).toEqual(['/users/me', fresh]);
    expect(second.session.get()).toMatchObject({ token: fresh, identity });
  },
);

it('two tabs that replace the token at once do it one after the other, each with the last one', async () => {
  vi.stubGlobal('navigator', { locks: createLocks() });
  const first = await tab();
  first.session.start(former);
  const second = await tab();
  const both = [first, second].map((one) => one.replaceToken((client) => client(auth.renew)));
  await expect.poll(() => sent).toEqual([['/login/renew', former]]);
  release();
  await expect.poll(() => sent.at(-1)).toEqual(['/login/renew', fresh]);
  release();
  await Promise.all(both);
  expect([first.session.token(), second.session.token()]).toEqual([fresh, fresh]);
});

it('a call that is refused otherwise ends the session, once for all', async () => {
  const { session, api } = await tab();
  session.start(former);
  valid = fresh;
  const calls = await Promise.allSettled([api(users.me), api(users.me)]);
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(session.get()).toMatchObject({ token: null, reason: 'expired', identity: 2 });
  expect(sent).toHaveLength(2);
});

it('a call of a former person is not sent for the next one', async () => {
  const { session, api } = await tab();
  session.start(former);
  valid = other;
  const answer = api(users.me);
  session.start(other);
  await expect(answer).rejects.toMatchObject({ status: 401 });
  expect(session.token()).toBe(other);
  expect(sent).toHaveLength(1);
});

it('a refused replacement ends the session, and what waited for it', async () => {
  const { session, api, replaceToken } = await tab();
  session.start(former);
  valid = fresh;
  const calls = [replaceToken((client) => client(auth.renew)), api(users.me)];
  const settled = await Promise.allSettled(calls);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(session.get()).toMatchObject({ token: null, reason: 'expired' });
});
