import { localDate, plusDays, textOf, weekdayOf, zoned, type LocalDate } from './local-times.ts';
import { nextOccurrence, type RepeatFrequency } from './recurrences.ts';

/** When a report is made. The hour is local to the time zone. */
export interface ReportTiming {
  frequency: RepeatFrequency;
  /** From 1, Monday, to 7; of weekly reports. */
  weekday: number | null;
  /** From 1 to 31; in shorter months the last day. Of monthly reports. */
  day: number | null;
  hour: number;
  timeZone: string;
}

/** The first time after another one at which a report is made. */
export function nextReportRun(timing: ReportTiming, after: Date): Date {
  const { frequency, weekday, day, hour, timeZone } = timing;
  const weekdays = weekday ? [weekday] : [];
  return nextOccurrence({ frequency, weekdays, day, minutes: hour * 60, timeZone }, after)!;
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

function boundsOf(frequency: RepeatFrequency, today: LocalDate): [LocalDate, LocalDate] {
  if (frequency === 'daily') return [plusDays(today, -1), today];
  if (frequency === 'weekly') {
    const monday = plusDays(today, 1 - weekdayOf(today));
    return [plusDays(monday, -7), monday];
  }
  const month = { ...today, day: 1 };
  return [{ ...plusDays(month, -1), day: 1 }, month];
}
