/** `clockOf(545)` is `09:05`, as fields of a time take it. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes since midnight; of an empty field no number. */
export function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** From 1, Monday, to 7, in the words of a language: `weekdayName('en', 1)` is `Monday`. */
export const weekdayName = (
  locale: string,
  weekday: number,
  width: 'long' | 'short' = 'long',
): string =>
  // 2024-01-01 was a Monday.
  new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, weekday),
  );
