/** Columns of a sheet. A contact has 27 fields. */
export const MAX_COLUMNS = 1000;

/** `1990-02-28`, or `1990-02-28 12:30` unless it is midnight; null for an invalid date. */
export function isoOf(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const [day, time] = date.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
