import { isDeepStrictEqual } from 'node:util';
import { MAX_PURCHASE_PRICES, type PurchasePriceListPreview } from '@heliograph/contract';
import {
  decimalMarkOf,
  priceColumns,
  PRICE_FIELDS,
  priceText,
  readPrice,
  type PriceColumns,
  type PriceReason,
  type PurchasePrice,
  type SendingType,
} from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';
import { sheetIndex, sheetNames } from '../../core/sheets/sheet-names.ts';
import { unreadable, type Book, type SheetRow } from '../../core/sheets/sheet.ts';

/** Rows in which the header is searched; titles may precede it. */
const HEAD_ROWS = 20;
const SHOWN_PROBLEMS = 100;
/** Rows that are read: those that are not taken as well. */
const MAX_ROWS = 2 * MAX_PURCHASE_PRICES;

/** What a file says: its prices, and the rows that are none. */
export interface ReadList extends Pick<
  PurchasePriceListPreview,
  'problems' | 'refused' | 'sheets' | 'sheet'
> {
  prices: PurchasePrice[];
}

/** Reads the wanted sheet, else the first one whose header names a price, and what it holds for. */
export async function readPriceList(
  book: Book,
  wanted: string | undefined,
  defaults: { type: SendingType; currency: string },
): Promise<ReadList> {
  const sheets = sheetNames(book);
  const { place, columns, below } = await findTable(book, sheets, wanted);
  const found = new Map<string, PurchasePrice>();
  const list: ReadList = {
    prices: [],
    problems: [],
    refused: 0,
    sheets,
    sheet: sheets[place] ?? null,
  };
  const refuse = (n: number, reason: PriceReason) => {
    list.refused++;
    if (list.problems.length < SHOWN_PROBLEMS) list.problems.push({ n, reason });
  };
  const used = Object.values(columns);
  const mark = decimalMarkOf(below.map(({ cells }) => priceText(cells, columns)));
  const take = (row: SheetRow) => {
    if (row.formulas?.some((column) => used.includes(column))) return refuse(row.n, 'formula');
    const read = readPrice(row.cells, columns, { ...defaults, mark });
    if ('reason' in read) return refuse(row.n, read.reason);
    const key = `${read.type} ${read.destination}`;
    // Networks with several codes, or a repeated row: two prices for one thing are none.
    const same = found.get(key);
    if (same && !isDeepStrictEqual(same, read)) return refuse(row.n, 'repeated');
    found.set(key, read);
  };
  for (const row of below) take(row);
  if (found.size > MAX_PURCHASE_PRICES) throw tooLong();
  return { ...list, prices: [...found.values()] };
}

interface Table {
  columns: PriceColumns;
  /** The rows below the header. */
  below: SheetRow[];
}

/** Covers and notes may precede the sheet with the prices. */
async function findTable(
  book: Book,
  sheets: readonly string[],
  wanted: string | undefined,
): Promise<Table & { place: number }> {
  const first = sheetIndex(sheets, wanted);
  // A text file has one table and no sheets.
  const end = wanted === undefined ? Math.max(sheets.length, 1) : first + 1;
  for (let place = first; place < end; place++) {
    const table = await readTable(book, place);
    if (table) return { ...table, place };
  }
  throw unreadable(
    'The columns of the price and of the network, prefix or country were not found. Name them in the first row.',
    { recognised: PRICE_FIELDS },
  );
}

/** Null for a sheet without a header. */
async function readTable(book: Book, place: number): Promise<Table | null> {
  const rows = book.rows(place);
  let columns: PriceColumns | null = null;
  const below: SheetRow[] = [];
  let count = 0;
  try {
    for await (const row of rows) {
      if (++count > MAX_ROWS + HEAD_ROWS) throw tooLong();
      if (columns) below.push(row);
      else {
        columns = priceColumns(row.cells);
        if (!columns && count >= HEAD_ROWS) break;
      }
    }
  } finally {
    await rows.return();
  }
  return columns && { columns, below };
}

const tooLong = () =>
  new AppError('too_large', `A price list has up to ${MAX_PURCHASE_PRICES} prices.`, {
    payload: { max: MAX_PURCHASE_PRICES },
  });
