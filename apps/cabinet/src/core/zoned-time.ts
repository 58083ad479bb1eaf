const SECOND = 1000;
const DAY = 86_400_000;
/** The range of `Date`, less a day at each end. */
const MAX_TIME = 8.64e15 - DAY;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  clocks.set(timeZone, clock);
  return clock;
}

/** What a clock in the zone shows at a moment, to the second, as if it were UTC. */
export function wallClock(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(parts.find((part) => part.type === type)!.value));
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/**
 * The moment at which a clock in the zone shows `wall`; NaN without one. Around a clock change: of a time that comes twice
 * the first, of a skipped one the moment as long after the change.
 */
export function instantOf(wall: number, timeZone: string): number {
  if (!(Math.abs(wall) <= MAX_TIME)) return Number.NaN;
  const offset = (at: number) => wallClock(at, timeZone) - Math.floor(at / SECOND) * SECOND;
  const [before, after] = [wall - offset(wall - DAY), wall - offset(wall + DAY)];
  const isShown = (at: number) => wallClock(at, timeZone) === Math.floor(wall / SECOND) * SECOND;
  return isShown(before) || !isShown(after) ? before : after;
}
