/** Documents of Russia have the days of Moscow, which has no summer time. */
const MOSCOW_MS = 3 * 3_600_000;

/** The calendar day of a document: `documentDay(new Date('2026-11-21T21:00:00Z'))` is '2026-11-22'. */
export const documentDay = (at: Date): string =>
  new Date(at.getTime() + MOSCOW_MS).toISOString().slice(0, 10);

/** A month of documents: its first day, and when it begins and ends. */
export interface DocumentMonth {
  day: string;
  from: Date;
  to: Date;
}

/** The month of a time, or one so many months later. */
export function documentMonth(at: Date, later = 0): DocumentMonth {
  const [year = 0, month = 0] = documentDay(at).split('-').map(Number);
  const begin = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1) - MOSCOW_MS);
  const from = begin(later);
  return { day: documentDay(from), from, to: begin(later + 1) };
}

/** The month before the one of a time. */
export const monthBefore = (at: Date): DocumentMonth => documentMonth(at, -1);

/** The last day of a month: `lastDayOf('2026-02-01')` is '2026-02-28'. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
