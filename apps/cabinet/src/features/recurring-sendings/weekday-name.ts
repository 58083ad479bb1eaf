/** From 1, Monday, to 7, in the words of a language: `weekdayName('en', 1)` is `Monday`. */
export const weekdayName = (locale: string, weekday: number): string =>
  // 2024-01-01 was a Monday.
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, weekday),
  );
