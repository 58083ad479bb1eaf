import { browserStorage, tabStorage } from './browser-storage.ts';
import { personOf } from './session/session-time.ts';
import { session } from './session/session.ts';

/**
 * Unfinished work of a user, in this browser or in this tab only. It ends with the user's session, unless that has expired,
 * and after some days: docs/decisions/065-drafts-end-with-the-session.md.
 */
const DRAFTS = 'heliograph.draft.';
/** Copies of the views of lists, whose filters may name people; the account has them (`personal/mirror.ts`). */
const LISTS = 'heliograph.list.';
/** Of drafts of a tab, that which outlives it: the next tab that has none of its own goes on with the last one. */
const OUTLIVING = '.send';
/** Under which drafts were kept before they ended. */
const FORMER = ['heliograph.send.', 'heliograph.reply.', 'heliograph.registration'];
const MAX_AGE_MS = 7 * 86_400_000;

export interface Draft {
  text: string;
  /** Unix milliseconds. */
  savedAt: number;
}

const AREAS = { browser: browserStorage, tab: tabStorage };
type Area = keyof typeof AREAS;

export const draftKey = (userId: string, name: string): string => `${DRAFTS}${userId}.${name}`;

function parse(value: string | null): Draft | null {
  const [, at, text] = /^(\d{1,15}) ([^]*)$/.exec(value ?? '') ?? [];
  if (at === undefined || Math.abs(Date.now() - Number(at)) > MAX_AGE_MS) return null;
  return { text: text!, savedAt: Number(at) };
}

export const readDraft = (key: string, area: Area = 'browser'): Draft | null =>
  parse(AREAS[area].get(key));

/** Answers whether it is kept. Null removes it. */
export function saveDraft(
  key: string,
  text: string | null,
  { area = 'browser', now = Date.now() }: { area?: Area; now?: number } = {},
): boolean {
  // A page that is being left saves its last words: not into a browser that its user has just signed out of.
  if (text !== null && isOver(key)) return false;
  return AREAS[area].set(key, text === null ? null : `${now} ${text}`);
}

/** The draft of this tab; one without takes over what the last tab that was closed has left. */
export function takeDraft(key: string): void {
  if (readDraft(key, 'tab') || !readDraft(key)) return;
  if (tabStorage.set(key, browserStorage.get(key))) browserStorage.set(key, null);
}

const outliving = () => tabStorage.names(DRAFTS).filter((key) => key.endsWith(OUTLIVING));

/** A tab is closed, or only loaded again, and takes back then what it has left. */
function leaveDrafts(): void {
  for (const key of outliving()) browserStorage.set(key, tabStorage.get(key));
}
function reclaimDrafts(): void {
  for (const key of outliving())
    if (browserStorage.get(key) === tabStorage.get(key)) browserStorage.set(key, null);
}
globalThis.addEventListener?.('pagehide', leaveDrafts);
globalThis.addEventListener?.('pageshow', reclaimDrafts);

/** The users who have a session in this browser. */
function present(): string[] {
  const { token, previous } = session.get();
  return [personOf(token), personOf(previous)].filter((id) => id !== null);
}

function isOver(key: string): boolean {
  const { reason } = session.get();
  const ids = present();
  const owner = /^heliograph\.\w+\.([^.]*)\./.exec(key)?.[1];
  if (ids.length) return !ids.some((id) => id === owner);
  return reason === 'signedOut' || reason === 'returned';
}

function removeDrafts(isEnded: (key: string, area: (typeof AREAS)[Area]) => boolean): void {
  for (const area of Object.values(AREAS))
    for (const key of area.names(DRAFTS)) if (isEnded(key, area)) area.set(key, null);
}

let { identity } = session.get();
session.subscribe(() => {
  const now = session.get();
  if (now.identity === identity) return;
  identity = now.identity;
  // Who signs in again goes on where the session has expired.
  if (now.reason === 'expired') return;
  removeDrafts(isOver);
  for (const key of browserStorage.names(LISTS)) if (isOver(key)) browserStorage.set(key, null);
});

reclaimDrafts();
/** What has been here for too long. */
removeDrafts((key, area) => !parse(area.get(key)));
for (const name of FORMER)
  for (const key of browserStorage.names(name)) browserStorage.set(key, null);
