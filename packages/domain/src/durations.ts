/** Each step is a fifth longer than the one before: from a millisecond to a minute and more. */
const GROWTH = 1.2;
export const DURATION_STEPS = 64;

/** The step of a duration: the first one has up to a millisecond. `durationStep(100)` is 26. */
export const durationStep = (ms: number): number =>
  Math.min(
    DURATION_STEPS - 1,
    Math.max(0, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(GROWTH))),
  );

/** The duration in milliseconds that a share of the counted ones did not exceed, a fifth too long at most; no longer than the slowest. */
export function durationWithin(counts: readonly number[], share: number, slowest: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const step = counts.findIndex((count) => (seen += count) >= total * share);
  return step < 0 ? slowest : Math.min(slowest, Math.round(GROWTH ** step));
}
