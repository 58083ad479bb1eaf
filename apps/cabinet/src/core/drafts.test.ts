import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

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
let leave: () => void;

/** As a page that has just been loaded. */
async function load() {
  vi.resetModules();
  const { session } = await import('./session/session.ts');
  const { draftKey, readDraft, saveDraft, takeDraft } = await import('./drafts.ts');
  const keys = {
    anna: draftKey('anna', 'send'),
    reply: draftKey('anna', 'reply.1'),
    boris: draftKey('boris', 'send'),
  };
  return { session, readDraft, saveDraft, takeDraft, keys };
}

beforeEach(() => {
  vi.stubGlobal('localStorage', areaOf());
  vi.stubGlobal('sessionStorage', areaOf());
  vi.stubGlobal('addEventListener', (name: string, listener: typeof tell) => {
    if (name === 'storage') tell = listener;
    if (name === 'pagehide') leave = listener as () => void;
  });
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

describe('a message that is being written', () => {
  const inTab = { area: 'tab' } as const;
  const another = () => vi.stubGlobal('sessionStorage', areaOf());

  it('is of its tab alone, and goes on in the next one when the tab is closed', async () => {
    const { session, saveDraft, keys } = await load();
    session.start(token('anna'));
    saveDraft(keys.anna, 'In the first tab', inTab);
    saveDraft(keys.reply, 'Of a form that ends with its tab', inTab);
    const first = sessionStorage;

    another();
    const second = await load();
    second.takeDraft(keys.anna);
    expect(second.readDraft(keys.anna, 'tab')).toBeNull();

    vi.stubGlobal('sessionStorage', first);
    await load();
    leave();
    another();
    const third = await load();
    third.takeDraft(keys.anna);
    expect(third.readDraft(keys.anna, 'tab')?.text).toBe('In the first tab');
    expect(third.readDraft(keys.anna), 'one tab goes on with it').toBeNull();
    expect(third.readDraft(keys.reply)).toBeNull();
  });

  it('stays with a tab that is only loaded again, and does not replace what another tab has', async () => {
    const { session, saveDraft, keys } = await load();
    session.start(token('anna'));
    saveDraft(keys.anna, 'Half a word', inTab);
    leave();
    const again = await load();
    expect(again.readDraft(keys.anna)).toBeNull();
    expect(again.readDraft(keys.anna, 'tab')?.text).toBe('Half a word');
    again.saveDraft(keys.anna, 'Of a closed tab');
    again.takeDraft(keys.anna);
    expect(again.readDraft(keys.anna, 'tab')?.text).toBe('Half a word');
    expect(again.readDraft(keys.anna)?.text).toBe('Of a closed tab');
  });

  it('is gone everywhere after a sign-out', async () => {
    const { session, saveDraft, keys } = await load();
    session.start(token('anna'));
    saveDraft(keys.anna, 'Dear Ms Clearwater', inTab);
    leave();
    saveDraft(keys.anna, 'Dear Mr Stillwater', inTab);
    session.end('signedOut');
    leave();
    expect(everything()).not.toContain('water');
  });
});
