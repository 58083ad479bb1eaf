/**
 * Calls `run` for a key at most once in `ms`: the first call is delayed by `first`, so that calls of the same moment are
 * merged, later ones until the end of the interval. No call is lost; each is late by at most `ms`.
 */
export function throttleByKey<Key extends string>(
  run: (key: Key) => void,
  ms: number,
  first = 250,
) {
  const waiting = new Map<Key, ReturnType<typeof setTimeout>>();
  const last = new Map<Key, number>();
  return (key: Key): void => {
    if (waiting.has(key)) return;
    const since = Date.now() - (last.get(key) ?? -Infinity);
    const delay = Math.max(first, ms - since);
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        last.set(key, Date.now());
        run(key);
      }, delay),
    );
  };
}
