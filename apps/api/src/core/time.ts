/** Milliseconds since 1970 at which `performance.now()` was 0; null: the clock of the machine is used. */
let origin: number | null = null;

/**
 * Milliseconds since 1970. Once it was set by the clock of the database it goes on with time measured within the process: it is the same
 * in all processes, and a clock of a machine that is wrong, or put, changes nothing.
 */
export const currentTime = (): number =>
  origin === null ? Date.now() : origin + performance.now();

/** It was `time` when `performance.now()` was `at`, give or take `tolerance` milliseconds. Null: the clock of the machine is used again. */
export function setTime(time: number | null, at = 0, tolerance = 0): void {
  // What is within the error of the measurement is no news: the time would go to and fro.
  if (time === null) origin = null;
  else if (origin === null || Math.abs(time - at - origin) > tolerance) origin = time - at;
}

/**
 * Tells how many milliseconds have passed since it was made: by measured time, which stands still while a machine sleeps, or by the clock
 * of the machine, which may be put, whichever says more.
 */
export function stopwatch(): () => number {
  const [time, measured] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - time, performance.now() - measured);
}
