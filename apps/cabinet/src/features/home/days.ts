import { timeZone } from '../../core/time-zone.ts';
import { wallClock } from '../../core/zoned-time.ts';

const DAY_MS = 86_400_000;

/** The last days as a period, the current one included: two dates of the user's calendar. */
export function lastDays(count: number, now = Date.now()): { period: string; dates: string[] } {
  const today = wallClock(now, timeZone());
  const dates = Array.from({ length: count }, (_, i) =>
    new Date(today - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  return { period: `${dates[0]}..${dates.at(-1)}`, dates };
}
