import {
  MAX_FILE_ACCOUNTS,
  MAX_LOOKUP_DAYS,
  MAX_MONEY,
  MAX_SUSPENSION_REASON,
} from '@heliograph/contract';
import {
  ACCOUNT_FILE_FIELDS,
  accountFileColumns,
  parseAccountFileRow,
  parseMoney,
  type AccountFileColumns,
  type AccountFileRow,
} from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';
import { unreadable, type Book, type SheetRow } from '../../core/sheets/sheet.ts';

/** Rows in which the header is searched; titles may precede it. */
const HEAD_ROWS = 10;
const SHOWN_LENGTH = 100;
const LIMITS = {
  amount: parseMoney(MAX_MONEY),
  lookupDays: MAX_LOOKUP_DAYS,
  reason: MAX_SUSPENSION_REASON,
};

export interface AccountFile extends AccountFileColumns {
  rows: (AccountFileRow & { row: number })[];
}

/** Reads the first sheet of a file whose header names accounts and what changes in them. */
export async function readAccountFile(book: Book): Promise<AccountFile> {
  const head: SheetRow[] = [];
  const found: SheetRow[] = [];
  let header: AccountFileColumns | null = null;
  const rows = book.rows(0);
  try {
    for await (const row of rows) {
      if (header) found.push(row);
      else {
        header = accountFileColumns(row.cells);
        head.push(row);
        if (!header && head.length >= HEAD_ROWS) break;
      }
      if (found.length > MAX_FILE_ACCOUNTS)
        throw new AppError(
          'too_large',
          `The file has more than ${MAX_FILE_ACCOUNTS} rows. Split it.`,
          { payload: { max: MAX_FILE_ACCOUNTS } },
        );
    }
  } finally {
    await rows.return();
  }
  if (!header)
    throw unreadable(
      'The columns of the account and of what changes were not found. Name them in the first row.',
      {
        found:
          head[0]?.cells.slice(0, SHOWN_LENGTH).map((cell) => cell.slice(0, SHOWN_LENGTH)) ?? [],
        recognised: ACCOUNT_FILE_FIELDS,
      },
    );
  const columns = header;
  return {
    ...columns,
    rows: found.map(({ n, cells, formulas = [] }) => ({
      row: n,
      ...parseAccountFileRow(cells, formulas, columns, LIMITS),
    })),
  };
}
