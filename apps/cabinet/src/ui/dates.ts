const DAY_MS = 86_400_000;

/** The day of a time in the zone of the browser: `2027-03-31`. */
export function dayOf(time: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
}

export const today = () => dayOf(new Date());

/** The day so many days after today. */
export function dayAfter(days: number): string {
  const time = new Date();
  time.setDate(time.getDate() + days);
  return dayOf(time);
}

/** The last second of a day in the zone of the browser. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:59`);

/** Whole days of the calendar, whatever the length of each. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
