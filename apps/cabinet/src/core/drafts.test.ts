import { afterAll, beforeEach, expect, it, vi } from 'vitest';

const token = (sub: string, seconds = 3600) =>
  `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + seconds, sub }))}.y`;

function areaOf(): Storage {
  const area = {};
  Object.setPrototypeOf(area, {
    getItem: (key: string) => (Object.hasOwn(area, key) ? Reflect.get(area, key) : null),
    removeItem: (key: string) => void Reflect.deleteProperty(area, key),
    setItem: (key: string, value: string) => void Reflect.set(area, key, value),
  });
  return area as Storage;
}

let tell: (event: { key: string | null }) => void;

/** As a page that has just been loaded. */
async function load() {
  vi.resetModules();
  const { session } = await import('./session/session.ts');
  const { draftKey, readDraft, saveDraft } = await import('./drafts.ts');
  const keys = {
    anna: draftKey('anna', 'send'),
    reply: draftKey('anna', 'reply.1'),
    boris: draftKey('boris', 'send'),
  };
  return { session, readDraft, saveDraft, keys };
}

beforeEach(() => {
  vi.stubGlobal('localStorage', areaOf());
  vi.stubGlobal('sessionStorage', areaOf());
  vi.stubGlobal('addEventListener', (_: string, listener: typeof tell) => void (tell = listener));
});
afterAll(() => vi.resetModules());

const everything = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);

it('ends with a sign-out, and what the page saves while it is left does not come back', async () => {
  const { session, saveDraft, keys } = await load();
  session.start(token('anna'));
  localStorage.setItem('heliograph.list.anna.outgoing', 'recipient=+79161234567');
  saveDraft(keys.anna, 'Dear +79161234567');
  saveDraft(keys.reply, 'Dear customer');
  saveDraft(keys.anna, 'Dear company', { area: 'tab' });
  expect(everything()).toContain('Dear company');
  session.end('signedOut');
  expect(saveDraft(keys.anna, 'Dear +79161234567')).toBe(false);
  expect(everything()).toBe('[{},{}]');
});

it('is there again for the same person when the session has expired, and for nobody else', async () => {
  for (const [next, text] of [
    ['anna', 'Half a word'],
    ['boris', undefined],
  ] as const) {
    const { session, saveDraft, keys } = await load();
    session.start(token('anna'));
    session.end('expired');
    expect(saveDraft(keys.anna, 'Half a word')).toBe(true);
    session.start(token(next));
    expect((await load()).readDraft(keys.anna)?.text).toBe(text);
  }
});

it('of another account ends with the return from it; the own ones stay', async () => {
  const { session, saveDraft, readDraft, keys } = await load();
  session.start(token('anna'));
  saveDraft(keys.anna, 'own');
  session.actAs(token('boris'));
  saveDraft(keys.boris, 'borrowed');
  expect(readDraft(keys.anna)?.text).toBe('own');
  session.back();
  saveDraft(keys.boris, 'while it is left');
  expect(readDraft(keys.boris)).toBeNull();
  expect(readDraft(keys.anna)?.text).toBe('own');
});

it('of this tab ends when another tab signs out', async () => {
  const { session, saveDraft, keys } = await load();
  session.start(token('anna'));
  saveDraft(keys.anna, 'of the tab', { area: 'tab' });
  localStorage.removeItem('heliograph.token');
  tell({ key: 'heliograph.token' });
  expect(session.get().reason).toBe('signedOut');
  expect(everything()).toBe('[{},{}]');
});

it('ends after a week, and is removed by the next page', async () => {
  const { saveDraft, keys } = await load();
  const DAY = 86_400_000;
  saveDraft(keys.anna, 'old', { now: Date.now() - 7.1 * DAY });
  saveDraft(keys.reply, 'kept', { now: Date.now() - 6.9 * DAY });
  localStorage.setItem('heliograph.send.anna', 'of a former release');
  const { readDraft } = await load();
  expect(readDraft(keys.reply)?.text).toBe('kept');
  expect(everything()).not.toMatch(/old|former/);
});
