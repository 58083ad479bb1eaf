/** `1990-02-28`, or `1990-02-28 12:30` unless it is midnight; null for an invalid date. */
export function isoOf(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const [day, time] = date.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}

/** Spreadsheets compute with 15 digits and store more: `0.30000000000000004` is 0.3 in its cell. */
const SIGNIFICANT_DIGITS = 15;

export const numberText = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
