export const REPORT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

/** When a report is made. The hour is local to the time zone. */
export interface ReportTiming {
  frequency: ReportFrequency;
  /** From 1, Monday, to 7; of weekly reports. */
  weekday: number | null;
  /** From 1 to 31; in shorter months the last day. Of monthly reports. */
  day: number | null;
  hour: number;
  timeZone: string;
}

interface LocalDate {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

const DAY_MS = 86_400_000;
/** The longest distance between two runs: monthly, plus the day that is cut off. */
const MAX_DAYS = 63;

/** How far the clocks of a time zone are ahead of UTC at a time. */
export function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const { year, month, day, hour, minute, second } = parts;
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return local - Math.floor(at / 1000) * 1000;
}

/** The time at which clocks show this hour and minute of a day; in an hour that the clocks skip, the time as long after midnight. */
export function zoned(
  { year, month, day }: LocalDate,
  hour: number,
  timeZone: string,
  minute = 0,
): number {
  return fromLocalTime(Date.UTC(year, month - 1, day, hour, minute), timeZone);
}

/** What the clocks of a time zone show, as if it were UTC. */
export const localTime = (at: number, timeZone: string): number => at + offsetAt(at, timeZone);

/** When the clocks of a time zone show this; of two times the first one. In an hour that they skip, the time as long after midnight. */
export function fromLocalTime(local: number, timeZone: string): number {
  // The offsets before and after a change of the clocks, which is within a day of the guess.
  const times = [local - DAY_MS, local + DAY_MS].map((at) => local - offsetAt(at, timeZone));
  const right = times.filter((at) => at + offsetAt(at, timeZone) === local);
  return right.length ? Math.min(...right) : Math.max(...times);
}

function localDate(at: number, timeZone: string): LocalDate {
  return dateOf(localTime(at, timeZone));
}

function dateOf(utc: number): LocalDate {
  const date = new Date(utc);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const plusDays = ({ year, month, day }: LocalDate, days: number) =>
  dateOf(Date.UTC(year, month - 1, day + days));
const weekdayOf = ({ year, month, day }: LocalDate) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
const daysIn = ({ year, month }: LocalDate) => new Date(Date.UTC(year, month, 0)).getUTCDate();

function isDue({ frequency, weekday, day }: ReportTiming, date: LocalDate): boolean {
  if (frequency === 'weekly') return weekdayOf(date) === weekday;
  if (frequency === 'monthly') return date.day === Math.min(day!, daysIn(date));
  return true;
}

/** The first time after another one at which a report is made. */
export function nextReportRun(timing: ReportTiming, after: Date): Date {
  const { timeZone, hour } = timing;
  const first = localDate(after.getTime(), timeZone);
  for (let days = 0; days <= MAX_DAYS; days++) {
    const date = plusDays(first, days);
    if (!isDue(timing, date)) continue;
    const at = zoned(date, hour, timeZone);
    if (at > after.getTime()) return new Date(at);
  }
  throw new RangeError('A schedule has no next run');
}

/** The day, the week from Monday, or the month before the one in which a report is made; the end is excluded. */
export function reportPeriod(
  { frequency, timeZone }: ReportTiming,
  runAt: Date,
): { start: Date; end: Date; first: string; last: string } {
  const today = localDate(runAt.getTime(), timeZone);
  const [first, end] = boundsOf(frequency, today);
  const midnight = (date: LocalDate) => new Date(zoned(date, 0, timeZone));
  return {
    start: midnight(first),
    end: midnight(end),
    first: textOf(first),
    last: textOf(plusDays(end, -1)),
  };
}

/** When the days before the one of a time began, the earliest first. Days on which the clocks change have 23 or 25 hours. */
export function daysBefore(at: number, count: number, timeZone: string): number[] {
  const today = localDate(at, timeZone);
  return Array.from({ length: count }, (_, i) => zoned(plusDays(today, i - count), 0, timeZone));
}

function boundsOf(frequency: ReportFrequency, today: LocalDate): [LocalDate, LocalDate] {
  if (frequency === 'daily') return [plusDays(today, -1), today];
  if (frequency === 'weekly') {
    const monday = plusDays(today, 1 - weekdayOf(today));
    return [plusDays(monday, -7), monday];
  }
  const month = { ...today, day: 1 };
  return [{ ...plusDays(month, -1), day: 1 }, month];
}

/** `2026-11-22` */
const textOf = ({ year, month, day }: LocalDate) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
