import { MAX_OPERATION_ROWS } from '@heliograph/contract';
import { AppError } from '../../core/errors.ts';
import { unreadable, type Book, type SheetRow } from '../../core/sheets/sheet.ts';
import { layoutOf, readHead, type Mapping } from './operation-file.ts';
import { parseRow, type ParsedRow } from './parse-row.ts';

/** Rows that are assessed and stored at a time. */
const CHUNK_SIZE = 2000;

/** The rows of a sheet below its header, in chunks. Throws when there are too many, or none. */
export async function* readOperations(
  book: Book,
  sheet: number,
  mapping: Mapping,
): AsyncGenerator<ParsedRow[], void, void> {
  const rows = book.rows(sheet);
  try {
    const head = await readHead(rows);
    const { columns, above } = layoutOf(head, mapping);
    let chunk: ParsedRow[] = [];
    let count = 0;
    let last = 0;
    const take = (row: SheetRow) => {
      if (++count > MAX_OPERATION_ROWS)
        throw new AppError(
          'too_large',
          `The file has more than ${MAX_OPERATION_ROWS} rows. Split it.`,
          {
            payload: { max: MAX_OPERATION_ROWS },
          },
        );
      if (row.n <= last)
        throw unreadable(
          'The rows of the workbook are not in order. Save it again as .xlsx or .csv.',
        );
      last = row.n;
      chunk.push(parseRow(row, columns));
    };
    for (const row of head.slice(above)) take(row);
    for await (const row of rows) {
      take(row);
      if (chunk.length < CHUNK_SIZE) continue;
      yield chunk;
      chunk = [];
    }
    if (!count) throw unreadable('The file has no rows');
    if (chunk.length) yield chunk;
  } finally {
    await rows.return();
  }
}
