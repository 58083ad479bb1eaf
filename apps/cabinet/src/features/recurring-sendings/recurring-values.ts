import type { RecurringSending } from '@heliograph/contract';
import { isTimeZone, nextOccurrences, type RepeatFrequency } from '@heliograph/domain';
import { minutesOf } from '../../core/clocks.ts';
import type { BrokenRules } from '../../core/forms/field-errors.ts';

/** The fields of the form: what it is called and when it runs. */
export interface TimingValues {
  title: string;
  frequency: RepeatFrequency;
  /** From 1, Monday, to 7. */
  weekdays: string[];
  day: string;
  /** `09:30` */
  time: string;
  timeZone: string;
  /** `2026-11-22`; empty for none. */
  from: string;
  until: string;
  times: number | null;
}

export const startValues = (title: string, timeZone: string): TimingValues => ({
  title,
  frequency: 'weekly',
  weekdays: ['1'],
  day: '1',
  time: '09:00',
  timeZone,
  from: '',
  until: '',
  times: null,
});

export const valuesOf = (row: RecurringSending): TimingValues => ({
  title: row.title,
  frequency: row.frequency,
  weekdays: row.weekdays.map(String),
  day: String(row.day ?? 1),
  time: row.time,
  timeZone: row.timeZone,
  from: row.from ?? '',
  until: row.until ?? '',
  times: row.times,
});

/** The values as the body has them, without those of another frequency. */
export function timingOf(values: TimingValues) {
  const { title, frequency, weekdays, day, time, timeZone, from, until, times } = values;
  return {
    title: title.trim(),
    frequency,
    weekdays: frequency === 'weekly' ? weekdays.map(Number).sort((a, b) => a - b) : [],
    day: frequency === 'monthly' ? Number(day) : null,
    time,
    timeZone,
    from: from || null,
    until: until || null,
    times,
  };
}
export type Timing = ReturnType<typeof timingOf>;

/** Rules between fields, which the schema of changes does not have. */
export const brokenTiming = (values: TimingValues): BrokenRules => ({
  weekdays: values.frequency === 'weekly' && !values.weekdays.length && 'required',
  time: !values.time && 'required',
  until: !!values.from && !!values.until && values.until < values.from && 'order',
});

const SHOWN_TIMES = 5;
const CLOCK = /^\d\d:\d\d$/;
const DAY = /^(\d{4}-\d\d-\d\d)?$/;

/** The next times after `now`, at most as many as it still runs after `runs` bulks; null while the values are not complete. */
export function upcoming(values: TimingValues, runs: number, now: Date): Date[] | null {
  const { time, timeZone, from, until, times } = values;
  const isComplete =
    CLOCK.test(time) &&
    DAY.test(from) &&
    DAY.test(until) &&
    isTimeZone(timeZone) &&
    !Object.values(brokenTiming(values)).some(Boolean);
  if (!isComplete) return null;
  const count = Math.max(0, Math.min(SHOWN_TIMES, (times ?? Infinity) - runs));
  return nextOccurrences({ ...timingOf(values), minutes: minutesOf(time) }, now, count);
}
