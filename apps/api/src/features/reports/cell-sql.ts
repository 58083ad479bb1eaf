import { REPORT_COLUMNS, type ReportColumn } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';

/** How values become cells of a file: by the type of their column. */
export type CellSql = (column: ReportColumn, value: string) => string;

/** Columns that hold words of the product or numbers, so that they need no neutralisation. */
const TRUSTED = new Set<ReportColumn>([
  'id',
  'type',
  'source',
  'status',
  'month',
  'mccmnc',
  'price',
]);

/** How the transcoder treats a cell: a text is not to be run as a formula, but a phone number keeps its plus sign. */
export type CellKind = 'text' | 'phone' | 'plain';

export function cellKind(column: ReportColumn): CellKind {
  const type = REPORT_COLUMNS[column];
  return (type === 'text' || type === 'phone') && !TRUSTED.has(column) ? type : 'plain';
}

/** Without fractions of a second, in the time zone of the transaction. */
const seconds = (value: string) => `(${value} - interval '500 milliseconds')::timestamp(0)`;

/** Cells of a CSV file in a language: all of them but English have a decimal comma. Formulas are left to the transcoder. */
export function csvCells(locale: Locale): CellSql {
  return (column, value) => {
    const type = REPORT_COLUMNS[column];
    if (type === 'time') return seconds(value);
    const isDecimal = type === 'money' || column === 'price';
    return isDecimal && locale !== 'en' ? `replace((${value})::text, '.', ',')` : value;
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
