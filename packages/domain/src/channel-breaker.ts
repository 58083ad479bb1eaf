const MAX_PAUSE_SECONDS = 300;
const MAX_DOUBLINGS = 10;

/** Seconds until the next call to a channel whose last calls were refused, so many in a row: 1, 2, 4 ... up to five minutes. */
export function channelPause(failures: number): number {
  return Math.min(2 ** Math.min(failures - 1, MAX_DOUBLINGS), MAX_PAUSE_SECONDS);
}
