const KB = 1024;

/** How a sum names its currency: `$`, of which there are many, or `USD`. */
export type CurrencyDisplay = 'narrowSymbol' | 'code';

/** The formats that depend on language, currency or time zone. One object per combination. */
export function createFormats(
  locale: string,
  currency: string,
  timeZone?: string,
  // Otherwise a ruble is "RUB 10" in English.
  currencyDisplay: CurrencyDisplay = 'narrowSymbol',
) {
  const number = new Intl.NumberFormat(locale);
  const sum = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  });
  const cost = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  });
  const amount = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const sizes = (['kilobyte', 'megabyte', 'gigabyte'] as const).map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
      }),
  );
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone,
  });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23', timeZone });
  const short = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const languages = new Intl.DisplayNames(locale, { type: 'language' });
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    locale,
    number: (value: number) => number.format(value),
    /** Two decimals, up to four for prices per message, so that the sums of a column align. */
    money: (value: number) => sum.format(value),
    /** The same without the currency, which the text names. */
    amount: (value: number) => amount.format(value),
    /** A price of a carrier, with up to six decimals. */
    cost: (value: number) => cost.format(value),
    /** `₽`, `€`: for a field whose text is the number alone. */
    currencySymbol: sum.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
    percent: (ratio: number) => percent.format(ratio),
    /** A size of a file, with units of 1024; below a kilobyte it is one. */
    bytes: (count: number) => {
      const unit = count < KB * KB ? 0 : count < KB * KB * KB ? 1 : 2;
      const value = count / KB ** (unit + 1);
      return sizes[unit]!.format(count > 0 ? Math.max(unit ? 0 : 1, value) : 0);
    },
    seconds: (count: number) => seconds.format(count),
    date: (iso: string) => date.format(new Date(iso)),
    /** A calendar date, `1990-12-31`, which is the same in every zone. */
    day: (day: string) => calendar.format(new Date(`${day}T00:00Z`)),
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    /** The name of a country by its ISO code; other texts are returned as they are. */
    region: (code: string) => (/^[A-Z]{2}$/.test(code) ? regions.of(code)! : code),
    /** The name of a language by its tag of BCP 47. */
    language: (tag: string) => languages.of(tag)!,
    /** For rows of a grid: a day and a time of this year, `Nov 22, 02:17`; of another year the date. */
    dateTimeShort: (iso: string, now = new Date()) => {
      const at = new Date(iso);
      return (year.format(at) === year.format(now) ? short : date).format(at);
    },
  };
}
export type Formats = ReturnType<typeof createFormats>;
