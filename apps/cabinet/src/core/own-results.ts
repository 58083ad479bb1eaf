import type { NotificationType } from '@heliograph/domain';

/** A notification that has not come after this time does not come: nothing had changed. */
const KEPT_MS = 60_000;

const running = new Map<Promise<unknown>, NotificationType>();
const shown = new Map<string, number>();

/**
 * Makes a call whose result this tab shows itself: the notification of it is no toast here. Other tabs of the user still get one.
 * `keyOf` gives the id by which the notification names the result; null: there is none.
 */
export function ownResult<R>(
  type: NotificationType,
  call: Promise<R>,
  keyOf: (result: R) => string | null,
): Promise<R> {
  const noted = call.then((result) => {
    const key = keyOf(result);
    if (key) shown.set(`${type} ${key}`, Date.now());
  });
  running.set(noted, type);
  const settle = () => void running.delete(noted);
  noted.then(settle, settle);
  return call;
}

/** Whether the notification tells of what this tab has made. Waits for calls that are under way: it may come before their answer. */
export async function isOwnResult(type: NotificationType, id: unknown): Promise<boolean> {
  await Promise.allSettled([...running].flatMap(([call, of]) => (of === type ? [call] : [])));
  const key = `${type} ${String(id)}`;
  const at = shown.get(key);
  shown.delete(key);
  return at !== undefined && Date.now() - at < KEPT_MS;
}
