import { REPORT_COLUMNS, type ReportColumn } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { workbookText } from '../../core/sheets/workbook-text.ts';

export type WorkbookCell = string | number | Date | null;

/** Spreadsheets keep fifteen digits of a number; longer ones are written as texts. */
const MAX_DIGITS = 15;

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: ' ', f: ' ', v: ' ' };

/** The rows of a COPY in text format: cells between tabs, `\N` for null, a backslash before special characters. */
export async function* workbookRows(
  chunks: AsyncIterable<Buffer>,
  columns: readonly ReportColumn[],
): AsyncGenerator<WorkbookCell[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const input = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const end = input.lastIndexOf(0x0a);
    if (end >= 0) {
      for (const line of input.toString('utf8', 0, end).split('\n')) yield cellsOf(line, columns);
    }
    rest = Buffer.from(input.subarray(end + 1));
  }
}

function cellsOf(line: string, columns: readonly ReportColumn[]): WorkbookCell[] {
  return line.split('\t').map((cell, i) => {
    if (cell === '\\N') return null;
    switch (REPORT_COLUMNS[columns[i]!]) {
      case 'number':
      case 'money':
        return numberOf(cell);
      case 'time':
      case 'day':
        return new Date(Number(cell) * 1000);
      default:
        return textOf(cell);
    }
  });
}

function numberOf(cell: string): number | string {
  const number = Number(cell);
  const digits = String(number).replace(/\D/g, '');
  return digits.length > MAX_DIGITS ? cell : number;
}

function textOf(cell: string): string {
  const text = cell.includes('\\')
    ? cell.replace(/\\(.)/gs, (_, character: string) => ESCAPES[character] ?? character)
    : cell;
  return workbookText(text);
}

export function numberFormat(column: ReportColumn, locale: Locale): string | undefined {
  const date = locale === 'en' ? 'yyyy-mm-dd' : 'dd.mm.yyyy';
  switch (REPORT_COLUMNS[column]) {
    case 'time':
      return `${date} hh:mm:ss`;
    case 'day':
      return date;
    case 'money':
      return '0.00##';
    default:
      return undefined;
  }
}
