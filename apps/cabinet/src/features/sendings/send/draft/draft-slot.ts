import { fetched } from '../../../../core/lost-chunk.ts';
import { stored } from '../../../../core/stored.ts';
import { draftKey, unpackDraft } from './draft.ts';

/** So many tabs each keep a draft of their own. */
const PLACES = 6;
/** Where a tab remembers its place over a reload. */
const OWN = 'heliograph.send.place';
/** A page that is loaded anew leaves its place a moment after the next one asks for it, in milliseconds. */
const LOCK_WAIT_MS = 300;

let taken: { userId: string; key: string; release?: () => void } | null = null;

/**
 * The place in this browser where this tab keeps its draft: its own one, else that of a tab that is gone with the
 * newest draft in it, else an empty one. No other tab has it until it is left.
 */
export async function takePlace(userId: string): Promise<void> {
  if (taken?.userId === userId) return;
  leavePlace();
  taken = { userId, ...(await find(userId)) };
  sessionStorage.setItem(OWN, taken.key);
}

/** The place that was taken last. */
export const placeTaken = (): string => taken?.key ?? '';

export function leavePlace(): void {
  taken?.release?.();
  taken = null;
}

interface Place {
  key: string;
  release?: () => void;
}

async function find(userId: string): Promise<Place> {
  const first = draftKey(userId);
  const keys = [first, ...Array.from({ length: PLACES - 1 }, (_, i) => `${first}.${i + 2}`)];
  const own = keys.find((key) => key === sessionStorage.getItem(OWN));
  return (await freeOf(inOrder(keys, own), own)) ?? { key: first };
}

/** What is kept, the newest first, one's own before; then what is empty, one's own before. */
export function inOrder(keys: readonly string[], own: string | undefined): string[] {
  const at = new Map(keys.map((key) => [key, unpackDraft(stored.get(key))?.savedAt ?? 0]));
  const isOwn = (key: string) => Number(key === own);
  const rank = (key: string) => Number(at.get(key)! > 0);
  return keys.toSorted(
    (a, b) => rank(b) - rank(a) || isOwn(b) - isOwn(a) || at.get(b)! - at.get(a)!,
  );
}

async function freeOf(keys: readonly string[], own: string | undefined): Promise<Place | null> {
  for (const key of keys) {
    const release = await hold(key, key === own);
    if (release) return { key, release };
  }
  return null;
}

/** Answers how to leave it; null when another tab has it. */
async function hold(key: string, waits: boolean): Promise<(() => void) | null> {
  // Without TLS a browser has no locks.
  if (!navigator.locks) return (await fetched(() => import('./tab-lock.ts'))).hold(key);
  const options = waits ? { signal: AbortSignal.timeout(LOCK_WAIT_MS) } : { ifAvailable: true };
  return new Promise((answer) => {
    navigator.locks
      .request(key, options, (lock) =>
        lock ? new Promise<void>((release) => answer(release)) : answer(null),
      )
      .catch(() => answer(null));
  });
}
