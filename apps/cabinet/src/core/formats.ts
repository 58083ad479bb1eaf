/** Everything a page prints that depends on language, currency or time zone. One per combination. */
export function createFormats(locale: string, currency: string, timeZone?: string) {
  const number = new Intl.NumberFormat(locale);
  const sum = (minimumFractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      // Otherwise a ruble is "RUB 10" in English.
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits,
      maximumFractionDigits: 4,
    });
  const whole = sum(0);
  const broken = sum(2);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone,
  });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23', timeZone });
  const short = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    locale,
    number: (value: number) => number.format(value),
    /** Whole sums without, all others with two to four decimals. */
    money: (value: number) => (Number.isInteger(value) ? whole : broken).format(value),
    percent: (ratio: number) => percent.format(ratio),
    date: (iso: string) => date.format(new Date(iso)),
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    /** The name of a country by its ISO code; what is no code stays as it is. */
    region: (code: string) => (/^[A-Z]{2}$/.test(code) ? regions.of(code)! : code),
    /** Same width in every row of a grid. */
    dateTimeShort: (iso: string) => short.format(new Date(iso)),
  };
}
export type Formats = ReturnType<typeof createFormats>;
