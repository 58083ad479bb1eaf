/** The same numbers for the same seed. */
export function randomBy(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
  const of = <T>(values: readonly T[]): T => values[below(values.length)]!;
  return { below, of };
}
