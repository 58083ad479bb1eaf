import type { NotificationType } from '@heliograph/domain';

const running = new Set<Promise<unknown>>();
const shown = new Set<string>();

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
    if (key) shown.add(`${type} ${key}`);
  });
  running.add(noted);
  const settle = () => void running.delete(noted);
  noted.then(settle, settle);
  return call;
}

/** Whether the notification tells of what this tab has made. Waits for calls that are under way: it may come before their answer. */
export async function isOwnResult(type: NotificationType, key: unknown): Promise<boolean> {
  await Promise.allSettled(running);
  return shown.delete(`${type} ${String(key)}`);
}
