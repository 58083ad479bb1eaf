import type { OperationColumns, OperationFile } from '@heliograph/contract';
import { OPERATION_FIELDS, operationField, parseOperationAmount } from '@heliograph/domain';
import { invalid } from '../../core/errors.ts';
import { sheetIndex, sheetNames } from '../../core/sheets/sheet-names.ts';
import { unreadable, type Book, type Rows, type SheetRow } from '../../core/sheets/sheet.ts';
import { MAX_AMOUNT } from './parse-row.ts';

/** Rows in which the header is searched; titles may precede it. */
const HEAD_ROWS = 10;
const SHOWN_ROWS = 5;
const SHOWN_COLUMNS = 100;
const SHOWN_LENGTH = 200;

export interface Mapping {
  columns?: OperationColumns;
  hasHeader?: boolean;
}

/** Recognised columns, and the number of rows above the operations. */
export interface Layout {
  columns: OperationColumns;
  above: number;
}

const empty = () => unreadable('The file has no rows');

export function sheetOf(book: Book, wanted?: string): { place: number; name: string | null } {
  const names = sheetNames(book);
  const place = sheetIndex(names, wanted);
  return { place, name: names[place] ?? null };
}

/** The first rows that are not blank; the others stay in `rows`. */
export async function readHead(rows: Rows): Promise<SheetRow[]> {
  const head: SheetRow[] = [];
  while (head.length < HEAD_ROWS) {
    const { value } = await rows.next();
    if (!value) break;
    head.push(value);
  }
  if (!head.length) throw empty();
  return head;
}

/** The columns of the request, or by the first row that names an account and an amount. */
export function layoutOf(head: SheetRow[], { columns, hasHeader }: Mapping): Layout {
  const at = head.findIndex(({ cells }) => isHeader(cells));
  if (columns) {
    if (new Set([columns.account, columns.amount, columns.comment]).size < 3)
      throw invalid('columns', 'unique', 'Each field needs a column of its own.');
    const named = hasHeader ?? (at >= 0 || !isAmount(head[0]!.cells[columns.amount]));
    return { columns, above: named ? Math.max(0, at) + 1 : 0 };
  }
  if (at < 0)
    throw unreadable(
      'The columns of the account and the amount were not found. Name them in the first row, or choose them.',
      { found: head[0]!.cells.slice(0, SHOWN_COLUMNS).map(cut), recognised: OPERATION_FIELDS },
    );
  const { cells } = head[at]!;
  const fields = cells.map(operationField);
  const [account, amount, comment] = OPERATION_FIELDS.map((field) => {
    const names = cells.filter((_, i) => fields[i] === field).map((name) => `“${cut(name)}”`);
    if (names.length > 1)
      throw invalid(
        'columns',
        'ambiguous',
        `The columns ${names.join(', ')} are all recognised as the ${field}. Rename all but one of them, or choose the columns.`,
      );
    return fields.indexOf(field);
  });
  return {
    columns: { account: account!, amount: amount!, comment: comment! < 0 ? null : comment! },
    above: at + 1,
  };
}

/** What a person needs to choose the columns. Does not fail when they are not recognised. */
export async function describeFile(book: Book, wanted?: string): Promise<OperationFile> {
  const { place, name } = sheetOf(book, wanted);
  const rows = book.rows(place, HEAD_ROWS + SHOWN_ROWS);
  const all: string[][] = [];
  for await (const { cells } of rows) all.push(cells);
  if (!all.length) throw empty();
  const at = all.slice(0, HEAD_ROWS).findIndex(isHeader);
  const below = all.slice(Math.max(0, at));
  const hasHeader = at >= 0 || !below[0]!.some(isAmount);
  const header = hasHeader ? below[0]! : [];
  const width = Math.min(Math.max(...below.map((cells) => cells.length)), SHOWN_COLUMNS);
  return {
    columns: Array.from({ length: width }, (_, i) => ({
      name: cut(header[i]),
      field: operationField(header[i] ?? ''),
    })),
    hasHeader,
    rows: below
      .slice(hasHeader ? 1 : 0)
      .slice(0, SHOWN_ROWS)
      .map((cells) => Array.from({ length: width }, (_, i) => cut(cells[i]))),
    sheets: sheetNames(book),
    sheet: name,
  };
}

function isHeader(cells: string[]): boolean {
  const fields = cells.map(operationField);
  return fields.includes('account') && fields.includes('amount');
}

const isAmount = (cell: string | undefined) =>
  typeof parseOperationAmount(cell ?? '', MAX_AMOUNT) === 'bigint';
const cut = (cell: string | undefined) => (cell ?? '').trim().slice(0, SHOWN_LENGTH);
