import { REPORT_COLUMNS, type ReportColumn, type ReportColumnType } from '@heliograph/contract';
import { formulaCodePoints, type Locale } from '@heliograph/domain';

/** How values become cells of a file: by the type of their column. */
export type CellSql = (column: ReportColumn, value: string) => string;

/** Columns that hold words of the product, so that they need no neutralisation. */
const TRUSTED = new Set<ReportColumn>(['id', 'type', 'source', 'status', 'month', 'mccmnc']);

let starts: string | undefined;
/** SQL: whether a text starts as a formula, also after its transliteration. More than eight constants are looked up in a hash table. */
function startsFormula(value: string): string {
  starts ??= `(${formulaCodePoints().join(', ')})`;
  return `ascii(${value}) in ${starts}`;
}

/** Prefixed with an apostrophe where a spreadsheet would run the text. */
const neutralized = (value: string) =>
  `case when ${startsFormula(value)} then '''' || ${value} else ${value} end`;

const PLUS = 43;
/** A phone number keeps its plus sign: a spreadsheet reads `+79990000000` as a number. */
const phone = (value: string) =>
  `case when ascii(${value}) = ${PLUS} and ltrim(${value}, '+0123456789') = '' then ${value} else ${neutralized(value)} end`;

/** Without fractions of a second, in the time zone of the transaction. */
const seconds = (value: string) => `(${value} - interval '500 milliseconds')::timestamp(0)`;

/** Cells of a CSV file in a language: all of them but English have a decimal comma. */
export function csvCells(locale: Locale): CellSql {
  const decimal = (value: string) =>
    locale === 'en' ? value : `replace((${value})::text, '.', ',')`;
  const formats: Record<ReportColumnType, (value: string) => string> = {
    text: neutralized,
    phone,
    number: (value) => value,
    money: decimal,
    time: seconds,
    day: (value) => value,
  };
  return (column, value) => {
    if (column === 'price') return decimal(value);
    return TRUSTED.has(column) ? value : formats[REPORT_COLUMNS[column]](value);
  };
}

/** Cells of a workbook: times as seconds since 1970 in the zone of the report, the rest as it is. A text of a workbook is never run. */
export const workbookCells: CellSql = (column, value) => {
  const type = REPORT_COLUMNS[column];
  if (type === 'time') return `extract(epoch from ${seconds(value)})::bigint`;
  return type === 'day' ? `extract(epoch from (${value})::timestamp)::bigint` : value;
};

/** Values of a JSON answer. */
export const jsonCells: CellSql = (column, value) => {
  const type = REPORT_COLUMNS[column];
  return type === 'money' || type === 'number' ? `(${value})::float8` : `(${value})::text`;
};

/** `DateStyle` of Postgres: 22.11.2026, 22/11/2026 or 2026-11-22. */
export const DATE_STYLES: Record<Locale, string> = {
  ru: 'German',
  de: 'German',
  es: 'SQL, DMY',
  pt: 'SQL, DMY',
  fr: 'SQL, DMY',
  it: 'SQL, DMY',
  en: 'ISO',
};
