import { localText, localTime } from '../core/time-zone.ts';

const DAY_MS = 86_400_000;

/** The day of a time in the user's zone: `2027-03-31`. */
export const dayOf = (time: Date): string => localText(time.getTime()).slice(0, 10);

export const today = () => dayOf(new Date());

/** The day so many days after today. */
export const dayAfter = (days: number): string =>
  new Date(Date.parse(today()) + days * DAY_MS).toISOString().slice(0, 10);

/** The last second of a day in the user's zone. */
export const endOfDay = (day: string) => new Date(localTime(`${day}T23:59:59`));

/** Whole days of the calendar, whatever the length of each. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
