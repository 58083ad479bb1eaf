import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { phaseOf } from './session-time.ts';

afterAll(() => vi.resetModules());

const token = (seconds: number, sub = '') =>
  `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + seconds, sub }))}.y`;
const [own, borrowed, later] = [token(3600, 'own'), token(1800, 'borrowed'), token(7200, 'own')];

/** What the page does when another tab has changed the storage. */
let tell: (event: { key: string | null }) => void;
const kept = new Map<string, string>();
const keep = (key: string, value: string | null) =>
  value === null ? kept.delete(key) : kept.set(key, value);
const stub = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

/** As a page that has just been loaded. */
async function load() {
  vi.resetModules();
  return (await import('./session.ts')).session;
}

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', stub);
  vi.stubGlobal('addEventListener', (_: string, listener: typeof tell) => void (tell = listener));
});

it('begins, is renewed and ends', async () => {
  const session = await load();
  session.start(own);
  const { identity } = session.get();
  session.renew(later);
  expect(session.get()).toMatchObject({ token: later, identity });
  session.end('expired');
  expect(session.get()).toMatchObject({ token: null, reason: 'expired' });
  expect(kept.size).toBe(0);
});

it('is there again after a reload, unless it has ended', async () => {
  (await load()).start(own);
  expect((await load()).token()).toBe(own);
  kept.set('heliograph.token', token(-1));
  expect((await load()).token()).toBeNull();
});

it('returns from an impersonated session, on request or when it ends', async () => {
  const session = await load();
  for (const leave of [() => session.back(), () => session.end('expired')]) {
    session.start(own);
    session.actAs(borrowed);
    expect(session.get()).toMatchObject({ token: borrowed, previous: own });
    leave();
    expect(session.get()).toMatchObject({ token: own, previous: null, reason: 'returned' });
  }
});

it('renews the own session behind a borrowed one, which goes on', async () => {
  const session = await load();
  session.start(own);
  session.actAs(borrowed);
  const { identity } = session.get();
  session.renewOwn(later);
  expect(session.get()).toMatchObject({ token: borrowed, previous: later, identity });
  session.back();
  expect((await load()).token()).toBe(later);
});

it('follows another tab that renewed both', async () => {
  const session = await load();
  session.start(own);
  session.actAs(borrowed);
  const { identity } = session.get();
  kept.set('heliograph.previousToken', later);
  kept.set('heliograph.token', token(3600, 'borrowed'));
  tell({ key: 'heliograph.token' });
  expect(session.get()).toMatchObject({ previous: later, identity });
});

it('signs out when the own session ended meanwhile', async () => {
  const session = await load();
  session.start(token(-5));
  session.actAs(borrowed);
  session.end('expired');
  expect(session.get()).toMatchObject({ token: null, previous: null, reason: 'expired' });
});

it('leaves the own session when the borrowed one ended while nobody looked', async () => {
  kept.set('heliograph.token', token(-1));
  kept.set('heliograph.previousToken', own);
  expect((await load()).get()).toMatchObject({ token: own, previous: null });
});

it('follows another tab: the same person goes on, another one begins anew', async () => {
  const session = await load();
  session.start(own);
  const { identity } = session.get();
  const elsewhere = (next: string | null) => {
    keep('heliograph.token', next);
    tell({ key: 'heliograph.token' });
  };
  elsewhere(later);
  expect(session.get()).toMatchObject({ token: later, identity, isFromElsewhere: true });
  elsewhere(borrowed);
  expect(session.get()).toMatchObject({ token: borrowed, identity: identity + 1 });
  elsewhere('opaque');
  expect(session.get()).toMatchObject({ token: 'opaque', identity: identity + 2 });
  elsewhere(null);
  expect(session.get()).toMatchObject({ token: null, identity: identity + 3, reason: 'signedOut' });
  session.start(own);
  expect(session.get()).toMatchObject({ identity: identity + 4, isFromElsewhere: false });
});

it('reads what another tab has stored before its event arrives', async () => {
  const session = await load();
  session.start(own);
  const { identity } = session.get();
  kept.set('heliograph.token', later);
  session.sync();
  expect(session.get()).toMatchObject({ token: later, identity });
});

it('follows what is stored now where the events of other tabs are late, and writes nothing', async () => {
  const session = await load();
  session.start(own);
  const { identity } = session.get();
  const written = vi.spyOn(stub, 'setItem');
  // A frozen tab wakes: two renewals have happened since, and the event of the first one comes first.
  kept.set('heliograph.token', later);
  tell({ key: 'heliograph.token' });
  tell({ key: 'heliograph.token' });
  expect(session.get()).toMatchObject({ token: later, identity });
  kept.set('heliograph.token', token(9000, 'own'));
  session.sync();
  expect(written).not.toHaveBeenCalled();
  kept.clear();
  tell({ key: null });
  expect(session.get()).toMatchObject({ token: null, reason: 'signedOut' });
});

it('knows the renewed own session behind a borrowed one', async () => {
  const session = await load();
  session.start(own);
  session.actAs(borrowed);
  const { identity } = session.get();
  kept.set('heliograph.previousToken', later);
  tell({ key: 'heliograph.previousToken' });
  expect(session.get()).toMatchObject({ token: borrowed, previous: later, identity });
});

it('waits for the token where another tab has begun to act as somebody', async () => {
  const session = await load();
  session.start(own);
  const { identity } = session.get();
  kept.set('heliograph.previousToken', own);
  tell({ key: 'heliograph.previousToken' });
  expect(session.get()).toMatchObject({ token: own, previous: null, identity });
  kept.set('heliograph.token', borrowed);
  tell({ key: 'heliograph.token' });
  expect(session.get()).toMatchObject({ token: borrowed, previous: own, identity: identity + 1 });
});

it.each([-400, 400])(
  'knows the end of a session on a device whose clock is %i days ahead',
  async (days) => {
    const device = Date.now() + days * 86_400_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(device);
    const server = device / 1000 - days * 86_400;
    const issued = (exp: number) =>
      `x.${btoa(JSON.stringify({ iat: server, exp: server + exp }))}.y`;
    const started = issued(3600);
    (await load()).start(started);
    const session = await load();
    expect(session.token()).toBe(started);
    expect(phaseOf(started, session.now())).toBe('active');
    clock.mockReturnValue(device + 3_601_000);
    expect(phaseOf(started, session.now())).toBe('ended');
    expect((await load()).token()).toBeNull();
    session.end('expired');
    expect(kept.size).toBe(0);
    clock.mockRestore();
  },
);
