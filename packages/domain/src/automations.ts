import { fromLocalTime, localDate, localTime, textOf } from './local-times.ts';

export const WAIT_UNITS = ['minutes', 'hours', 'days'] as const;
export type WaitUnit = (typeof WAIT_UNITS)[number];

/** A step of an automation: its id stays when steps around it change. */
export interface NumberedStep {
  id: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * When a wait ends. A day later the clocks of the time zone show the same time, whether or not they were changed in between.
 * `waitEnd(at, { amount: 1, unit: 'days' }, 'Europe/Madrid')`
 */
export function waitEnd(
  at: Date,
  { amount, unit }: { amount: number; unit: WaitUnit },
  timeZone: string,
): Date {
  const from = at.getTime();
  if (unit === 'minutes') return new Date(from + amount * MINUTE_MS);
  if (unit === 'hours') return new Date(from + amount * HOUR_MS);
  return new Date(fromLocalTime(localTime(from, timeZone) + amount * DAY_MS, timeZone));
}

/**
 * The step that follows for a person who has taken some, in their order; undefined after the last one. A step is taken once: steps may have
 * been added, moved and removed meanwhile.
 */
export function stepAfter<S extends NumberedStep>(
  steps: readonly S[],
  taken: readonly number[],
): S | undefined {
  const last = taken.findLast((id) => steps.some((step) => step.id === id));
  const from = last === undefined ? 0 : steps.findIndex(({ id }) => id === last) + 1;
  return steps.slice(from).find(({ id }) => !taken.includes(id));
}

/** Steps with ids: known ones that do the same kind of thing keep theirs, others get the next ones. `last` is the greatest id that was ever given. */
export function numberSteps<S extends { id?: number | undefined; do: string }>(
  steps: readonly S[],
  known: readonly (NumberedStep & { do: string })[],
  last: number,
): { steps: (S & NumberedStep)[]; last: number } {
  const left = new Map(known.map((step) => [step.id, step.do]));
  let next = last;
  const numbered = steps.map((step) => {
    const isKnown = step.id !== undefined && left.get(step.id) === step.do;
    return { ...step, id: isKnown && left.delete(step.id!) ? step.id! : ++next };
  });
  return { steps: numbered, last: next };
}

/** The day that the clocks of a time zone show. `dayIn('Europe/Moscow', new Date('2026-11-22T22:00Z'))` is `2026-11-23`. */
export const dayIn = (timeZone: string, at: Date): string =>
  textOf(localDate(at.getTime(), timeZone));

/** So many days later, or before: `shiftDay('2026-12-31', 1)` is `2027-01-01`. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * The days of a year, as `12-31`, that are celebrated on a date: February 29 on the 28th in other years.
 * `anniversariesOn('2027-02-28')` is `['02-28', '02-29']`.
 */
export function anniversariesOn(date: string): string[] {
  const day = date.slice(5);
  const daysOfFebruary = new Date(Date.UTC(Number(date.slice(0, 4)), 2, 0)).getUTCDate();
  return day === '02-28' && daysOfFebruary === 28 ? [day, '02-29'] : [day];
}

/**
 * Days of the year, as `MM-dd`, that are celebrated from a date on to so many days later, each once:
 * `anniversariesWithin('2026-12-31', 1)` is `['12-31', '01-01']`.
 */
export const anniversariesWithin = (date: string, days: number): string[] => [
  ...new Set(
    Array.from({ length: Math.min(days, 366) + 1 }, (_, n) =>
      anniversariesOn(shiftDay(date, n)),
    ).flat(),
  ),
];
