import { CsvError, parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { encodingOf } from './encoding.ts';
import { firstBytes, unreadable, type Sheet, type SheetRow } from './sheet.ts';

const DELIMITERS = [';', ',', '\t'];
const HEAD = 64 * 1024;
/** A quotation mark that is never closed would otherwise take the rest of the file into memory. */
const MAX_ROW_BYTES = 64 * 1024;

export async function openCsv(path: string): Promise<Sheet> {
  const encoding = await encodingOf(path);
  if (!encoding)
    throw unreadable('This is neither a text nor a spreadsheet. Save it as .csv or .xlsx');
  const head = iconv.decode(await firstBytes(path, HEAD), encoding);
  const announced = /^sep=(.)\r?\n/i.exec(head)?.[1];
  const delimiter = announced ?? delimiterOf(head);
  return { delimiter, rows: rows(path, encoding, delimiter, announced ? 1 : 0) };
}

async function* rows(
  path: string,
  encoding: string,
  delimiter: string,
  skip: number,
): AsyncGenerator<SheetRow, void, void> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
  });
  let n = 0;
  try {
    // Errors of the parts arrive through the parser.
    pipeline(createReadStream(path), iconv.decodeStream(encoding), parser, () => undefined);
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (++n > skip) yield { n, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
    const what = isOpen ? 'a quotation mark is opened and not closed' : error.message;
    throw unreadable(`After row ${n}: ${what}. Correct it and import again`, { row: n + 1 });
  } finally {
    parser.destroy();
  }
}

/** The delimiter that cuts most of the first lines into as many columns as the first one. */
function delimiterOf(head: string): string {
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim())
    .slice(0, 50);
  let best = { delimiter: DELIMITERS[0]!, agreeing: 0, columns: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length);
    const columns = counts[0] ?? 1;
    const agreeing = columns > 1 ? counts.filter((c) => c === columns).length : 0;
    const isBetter =
      agreeing > best.agreeing || (agreeing === best.agreeing && columns > best.columns);
    if (agreeing && isBetter) best = { delimiter, agreeing, columns };
  }
  return best.delimiter;
}
