/** A day by the clocks of a time zone. */
export interface LocalDate {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

const DAY_MS = 86_400_000;

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

/** The day that the clocks of a time zone show. */
export function localDate(at: number, timeZone: string): LocalDate {
  return dateOf(localTime(at, timeZone));
}

function dateOf(utc: number): LocalDate {
  const date = new Date(utc);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export const plusDays = ({ year, month, day }: LocalDate, days: number) =>
  dateOf(Date.UTC(year, month - 1, day + days));
/** From 1, Monday, to 7. */
export const weekdayOf = ({ year, month, day }: LocalDate) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
/** Days of the month. */
export const daysIn = ({ year, month }: LocalDate) =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

/** `2026-11-22` */
export const textOf = ({ year, month, day }: LocalDate) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
