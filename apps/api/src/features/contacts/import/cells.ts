/** A contact has 27 fields; a row is filled up to its last cell. */
export const MAX_COLUMNS = 1000;

/** `1990-02-28`, with `12:30` behind it unless it is midnight; null when it is no time. */
export function isoOf(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const [day, time] = date.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
