import {
  daysIn,
  localDate,
  offsetAt,
  plusDays,
  textOf,
  weekdayOf,
  zoned,
  type LocalDate,
} from './local-times.ts';

export const REPEAT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type RepeatFrequency = (typeof REPEAT_FREQUENCIES)[number];

/** When something is done again and again, by the clocks of a time zone. */
export interface Recurrence {
  frequency: RepeatFrequency;
  /** From 1, Monday, to 7; of weekly ones, which are without any never due. */
  weekdays: readonly number[];
  /** From 1 to 31; in shorter months the last day, so that 31 is the last day of every month. Of monthly ones. */
  day: number | null;
  /** Since midnight, below 1440. */
  minutes: number;
  timeZone: string;
  /** The first and the last day on which it may be due, such as `2026-11-22`. */
  from?: string | null;
  until?: string | null;
}

const MINUTE_MS = 60_000;
/** The longest distance between two times is that of monthly ones, plus the day that is cut off and that before the first. */
const MAX_DAYS = 64;

/**
 * The first time after another one; null after the last. A time that the clocks skip is the next one that they show, one that they show twice is
 * the first of the two.
 * `nextOccurrence({ frequency: 'weekly', weekdays: [1], day: null, minutes: 540, timeZone: 'UTC' }, new Date('2026-11-22'))` is Monday,
 * November 23, at 9:00.
 */
export function nextOccurrence(rule: Recurrence, after: Date): Date | null {
  const { from, until } = rule;
  // The day before may be one that the clocks skip as a whole.
  const before = plusDays(localDate(after.getTime(), rule.timeZone), -1);
  const first = from && from > textOf(before) ? dateOfText(from) : before;
  for (let days = 0; days <= MAX_DAYS; days++) {
    const date = plusDays(first, days);
    if (until && textOf(date) > until) return null;
    if (!isDue(rule, date)) continue;
    const at = shown(date, rule);
    if (at > after.getTime()) return new Date(at);
  }
  return null;
}

/** The first times after another one, at most `count`. */
export function nextOccurrences(rule: Recurrence, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let at: Date | null = after; times.length < count; times.push(at)) {
    at = nextOccurrence(rule, at);
    if (!at) break;
  }
  return times;
}

function isDue({ frequency, weekdays, day }: Recurrence, date: LocalDate): boolean {
  if (frequency === 'weekly') return weekdays.includes(weekdayOf(date));
  if (frequency === 'monthly') return date.day === Math.min(day!, daysIn(date));
  return true;
}

/** The time at which the clocks show the minutes of a day, or, if they skip them, the next ones. */
function shown(date: LocalDate, { minutes, timeZone }: Recurrence): number {
  const local = Date.UTC(date.year, date.month - 1, date.day, 0, minutes);
  const at = zoned(date, 0, timeZone, minutes);
  const isShown = at + offsetAt(at, timeZone) === local;
  if (isShown) return at;
  // The clocks are put forward between `early` and `late`, and jump over the time there.
  let [early, late] = [at - (at + offsetAt(at, timeZone) - local), at];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (middle + offsetAt(middle, timeZone) > local) late = middle;
    else early = middle;
  }
  return late;
}

function dateOfText(text: string): LocalDate {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  return { year, month, day };
}
