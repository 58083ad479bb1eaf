/** Documents of Russia have the days of Moscow, which has no summer time. */
const MOSCOW_MS = 3 * 3_600_000;

/** The calendar day of a document: `documentDay(new Date('2026-11-21T21:00:00Z'))` is '2026-11-22'. */
export const documentDay = (at: Date): string =>
  new Date(at.getTime() + MOSCOW_MS).toISOString().slice(0, 10);

/** The month before the one of a time: its first day, and when it began and ended. */
export function monthBefore(at: Date): { day: string; from: Date; to: Date } {
  const [year = 0, month = 0] = documentDay(at).split('-').map(Number);
  const begin = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1) - MOSCOW_MS);
  const from = begin(-1);
  return { day: documentDay(from), from, to: begin(0) };
}

/** The last day of a month: `lastDayOf('2026-02-01')` is '2026-02-28'. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
