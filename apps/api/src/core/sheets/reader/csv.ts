import { CsvError, parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { encodingOf } from '../encoding.ts';
import type { Rows } from '../sheet.ts';
import { FileError, unreadable } from './file-error.ts';
import { firstBytes } from './first-bytes.ts';
import { tooManyColumns, type Table } from './table.ts';

const DELIMITERS = [';', ',', '\t', '|'];
const HEAD = 64 * 1024;
/** An unclosed quotation mark would otherwise read the rest of the file into memory. */
const MAX_ROW_BYTES = 64 * 1024;
const PROBLEMS: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
  CSV_MAX_RECORD_SIZE: 'a quotation mark is not closed, or the row has more than 64 kB',
};
/** Empty ones included, which count no bytes: as many as the columns of a sheet of Excel. */
const MAX_CELLS = 16_384;

/** What programs of DOS write behind the last line. */
const DOS_END = '\u001a';

export async function openCsv(path: string): Promise<Table> {
  const encoding = await encodingOf(path);
  if (!encoding)
    throw unreadable('The file is neither text nor a spreadsheet. Save it as .csv or .xlsx.');
  const head = iconv.decode(await firstBytes(path, HEAD), encoding);
  const announced = /^"?sep=(.)"?(?:\r\n?|\n)/i.exec(head)?.[1];
  const delimiter = announced ?? delimiterOf(head);
  const { size } = await stat(path);
  let file: ReadStream | undefined;
  const open = () => (file = createReadStream(path));
  return {
    delimiter,
    sheets: [],
    rows: (_, most) => rows(open, encoding, delimiter, announced ? 1 : 0, most),
    ratio: () => (file ? Math.min(1, file.bytesRead / size) : 0),
  };
}

async function* rows(
  open: () => ReadStream,
  encoding: string,
  delimiter: string,
  skip: number,
  most = Infinity,
): Rows {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (cell, { column }) => {
      if ((column as number) >= MAX_CELLS) throw tooManyColumns();
      return cell;
    },
  });
  let n = 0;
  try {
    // Errors of the streams are emitted by the parser.
    pipeline(open(), iconv.decodeStream(encoding), parser, () => undefined);
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (++n > skip && cells[0] !== DOS_END) yield { n, cells };
      if (n >= most) break;
    }
  } catch (error) {
    if (error instanceof FileError || !(error instanceof CsvError)) throw error;
    const what = PROBLEMS[error.code] ?? error.message;
    throw unreadable(`After row ${n}: ${what}. Correct the file and import it again.`, {
      row: n + 1,
    });
  } finally {
    parser.destroy();
  }
}

/** The delimiter that splits most of the first lines into the same number of columns. */
function delimiterOf(head: string): string {
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim())
    .slice(0, 50);
  let best = { delimiter: DELIMITERS[0]!, agreeing: 0, columns: 1 };
  for (const delimiter of DELIMITERS) {
    const widths = Map.groupBy(lines, (line) => line.split(delimiter).length);
    for (const [columns, { length: agreeing }] of widths) {
      const isBetter =
        agreeing > best.agreeing || (agreeing === best.agreeing && columns > best.columns);
      if (columns > 1 && isBetter) best = { delimiter, agreeing, columns };
    }
  }
  return best.delimiter;
}
