import { fetched } from '../../../core/lost-chunk.ts';
import { tabStorage } from '../../../core/browser-storage.ts';
import { draftKey } from '../../../core/drafts.ts';
import { loadDraft } from './draft.ts';

/** Tabs that can have separate drafts. */
const MAX_SLOTS = 6;
/** The tab's slot, remembered over a reload. */
const OWN_SLOT_KEY = 'heliograph.sendSlot';
/** After a reload the old page releases its slot a moment after the new one requests it. */
const LOCK_WAIT_MS = 300;

let locked: { userId: string; key: string; release?: () => void } | null = null;

/**
 * Locks the slot in local storage where this tab stores its draft: the tab's own slot, else the closed tab's with the newest
 * draft, else an empty one. No other tab gets it until it is released.
 */
export async function lockDraftSlot(userId: string): Promise<void> {
  if (locked?.userId === userId) return;
  releaseDraftSlot();
  locked = { userId, ...(await find(userId)) };
  tabStorage.set(OWN_SLOT_KEY, locked.key);
}

/** The key of the slot that was locked last. */
export const lockedDraftSlot = (): string => locked?.key ?? '';

export function releaseDraftSlot(): void {
  locked?.release?.();
  locked = null;
}

interface Slot {
  key: string;
  release?: () => void;
}

async function find(userId: string): Promise<Slot> {
  const first = draftKey(userId, 'send');
  const keys = [first, ...Array.from({ length: MAX_SLOTS - 1 }, (_, i) => `${first}.${i + 2}`)];
  const own = keys.find((key) => key === tabStorage.get(OWN_SLOT_KEY));
  return (await lockFirstFree(inOrder(keys, own), own)) ?? { key: first };
}

/** Slots with drafts, the newest first, then empty slots; the tab's own slot before others of its kind. */
export function inOrder(keys: readonly string[], own: string | undefined): string[] {
  const at = new Map(keys.map((key) => [key, loadDraft(key)?.savedAt ?? 0]));
  const isOwn = (key: string) => Number(key === own);
  const rank = (key: string) => Number(at.get(key)! > 0);
  return keys.toSorted(
    (a, b) => rank(b) - rank(a) || isOwn(b) - isOwn(a) || at.get(b)! - at.get(a)!,
  );
}

async function lockFirstFree(
  keys: readonly string[],
  own: string | undefined,
): Promise<Slot | null> {
  for (const key of keys) {
    const release = await lock(key, key === own);
    if (release) return { key, release };
  }
  return null;
}

/** Returns how to release the lock; null when another tab has it. */
async function lock(key: string, waits: boolean): Promise<(() => void) | null> {
  // Without TLS a browser has no locks.
  if (!navigator.locks) return (await fetched(() => import('./tab-lock.ts'))).hold(key);
  const options = waits ? { signal: AbortSignal.timeout(LOCK_WAIT_MS) } : { ifAvailable: true };
  return new Promise((answer) => {
    navigator.locks
      .request(key, options, (granted) =>
        granted ? new Promise<void>((release) => answer(release)) : answer(null),
      )
      .catch(() => answer(null));
  });
}
