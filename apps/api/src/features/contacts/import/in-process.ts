import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tooLarge } from './archive.ts';
import { unreadable, type Book, type Rows } from './sheet.ts';

/** Enough for the 65,536 rows of an .xls and for 100,000 of an .ods with seven columns. */
const HEAP_MB = 256;
/** As a shell says that it ran out of memory. */
const ABORTED = 134;
/** For the parsing, which takes three seconds for as much. */
const MAX_MS = 60_000;
const READER = fileURLToPath(
  new URL(`./workbook-reader${extname(import.meta.url)}`, import.meta.url),
);

/** `html`: a page with one table, which Bitrix24 and others call .xls. */
export type Kind = 'xls' | 'ods' | 'html';

/** What the process says of a workbook: its sheets with their rows, or why there are none. */
export type Opened =
  | { sheets: { name: string; rows: number }[] }
  | { error: 'damaged' | 'locked' | 'columns' };

const ERRORS = {
  damaged: 'The workbook is damaged. Save it anew as .xlsx or .csv',
  locked:
    'This workbook has a password or is older than Excel 97. Save it as .xlsx without a password, or as .csv',
  columns: 'The sheet has more than 1000 columns. Remove those without contacts',
};

/**
 * A workbook in a format whose library takes all of it at once. It does so in a process of its own: with as much memory and time as a
 * list of contacts takes, without the settings and secrets of this one, and without holding up anybody else. An .ods comes with the `names` of its sheets, a
 * page with its `encoding`.
 */
export async function openInProcess(
  path: string,
  kind: Kind,
  { names, encoding = 'utf-8' }: { names?: string[]; encoding?: string } = {},
): Promise<Book> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', READER, path, kind, encoding],
    { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  // One that has ended is told by its output; what is written to it then is not.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').catch(() => undefined) as Promise<[number | null] | undefined>;
  const close = () => void child.kill('SIGKILL');
  const tooLong = setTimeout(close, MAX_MS);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** Out of memory or of time. */
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (!done) return JSON.parse(value) as T;
    const [code] = (await ended) ?? [];
    throw code === null || code === ABORTED
      ? tooLarge()
      : new Error(`workbook-reader ended: ${code}`);
  };
  const opened = await next<Opened>().finally(() => clearTimeout(tooLong));
  if ('error' in opened) {
    close();
    throw unreadable(ERRORS[opened.error]);
  }
  const sheets =
    names?.map((name, i) => ({ name, rows: opened.sheets[i]?.rows ?? 0 })) ?? opened.sheets;
  let read = 0;
  let total = 1;
  async function* rows(sheet: number, most = Infinity): Rows {
    read = 0;
    total = Math.max(1, sheets[sheet]?.rows ?? 0);
    child.stdin.write(`${sheet} ${Math.min(most, total)}\n`);
    for (;;) {
      const row = await next<[number, ...string[]] | Opened | null>();
      if (row === null) return;
      if (!Array.isArray(row)) throw unreadable(ERRORS.columns);
      read++;
      const [n, ...cells] = row;
      yield { n, cells };
    }
  }
  return {
    delimiter: ';',
    sheets: sheets.map(({ name }) => name),
    rows,
    ratio: () => read / total,
    close,
  };
}
