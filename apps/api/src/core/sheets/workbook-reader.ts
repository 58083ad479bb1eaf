import { EncryptedFileError, fromHtml, read, type CellValue, type Sheet } from 'hucre';
import { streamOdsRows } from 'hucre/ods';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isoOf, MAX_COLUMNS, numberText } from './cells.ts';
import type { Kind, Opened } from './in-process.ts';

/**
 * A process of its own that reads an .xls, .ods or page (`in-process.ts`). It writes one JSON value to a line: what it opened, then for each
 * line `<sheet> <most>` that comes the rows `[n, ...cells]` and null. It ends with its input. Of an .ods the library does not say the names.
 * It imports nothing that reads settings or takes long to load.
 */

interface Row {
  n: number;
  values: CellValue[];
}
type Table = { name: string; rows: Row[] };

async function tables(path: string, kind: Kind, encoding: string): Promise<Table[]> {
  const bytes = await readFile(path);
  if (kind === 'xls') return (await read(bytes)).sheets.map(tableOf);
  if (kind === 'html')
    return [tableOf(fromHtml(new TextDecoder(encoding).decode(bytes), { typeInference: false }))];
  const found: Table[] = [];
  for await (const { index, sheetIndex = 0, values } of streamOdsRows(bytes)) {
    while (found.length <= sheetIndex) found.push({ name: '', rows: [] });
    found[sheetIndex]!.rows.push({ n: index + 1, values });
  }
  return found;
}

function tableOf({ name, rows }: Sheet): Table {
  // Rows that hold nothing are holes.
  return {
    name,
    rows: Array.from(rows).flatMap((values, i) => (values ? [{ n: i + 1, values }] : [])),
  };
}

function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isoOf(value) ?? '';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'object' ? '' : String(value);
}

async function say(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, 'drain');
}

function errorOf(error: unknown): Opened {
  const message = error instanceof Error ? error.message : '';
  const isLocked =
    error instanceof EncryptedFileError || /Unsupported XLS|missing Workbook/.test(message);
  return { error: isLocked ? 'locked' : 'damaged' };
}

const all = await tables(...(process.argv.slice(2) as [string, Kind, string])).catch(
  async (error: unknown) => {
    await say(errorOf(error));
    process.exit();
  },
);
await say({ sheets: all.map(({ name, rows }) => ({ name, rows: rows.length })) } satisfies Opened);
for await (const line of createInterface({ input: process.stdin })) {
  const [sheet, most] = line.split(' ').map(Number) as [number, number];
  for (const { n, values } of (all[sheet]?.rows ?? []).slice(0, most)) {
    if (values.length > MAX_COLUMNS) await say({ error: 'columns' } satisfies Opened);
    else await say([n, ...values.map(textOf)]);
  }
  await say(null);
}
