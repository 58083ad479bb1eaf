import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tooLarge } from './archive.ts';
import { unreadable, type Book, type Rows } from './sheet.ts';

/** Enough for the 65,536 rows of an .xls and for 100,000 of an .ods with seven columns. */
const HEAP_MB = 256;
/** Exit code 128 + SIGABRT, after V8 ran out of memory. */
const ABORTED = 134;
/** Parsing a file of this size takes about three seconds. */
const MAX_MS = 60_000;
const READER = fileURLToPath(
  new URL(`./workbook-reader${extname(import.meta.url)}`, import.meta.url),
);

/** `html`: a page with one table, which Bitrix24 and others export as .xls. */
export type Kind = 'xls' | 'ods' | 'html';

/** The first message of the process: the sheets with their row counts, or an error. */
export type Opened =
  | { sheets: { name: string; rows: number }[] }
  | { error: 'damaged' | 'locked' | 'columns' };

const ERRORS = {
  damaged: 'The workbook is damaged. Save it again as .xlsx or .csv.',
  locked:
    'The workbook is password-protected or older than Excel 97. Save it as .xlsx without a password, or as .csv.',
  columns: 'The sheet has more than 1000 columns. Remove the columns without contacts.',
};

/**
 * Opens a workbook whose library reads the whole file into memory. It runs in a separate process with limited memory and
 * time, without environment variables, and does not block the event loop. `names` are the sheet names of an .ods,
 * `encoding` is that of a page.
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
  // Errors of a process that has exited are detected by its output.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').catch(() => undefined) as Promise<[number | null] | undefined>;
  const close = () => void child.kill('SIGKILL');
  const tooLong = setTimeout(close, MAX_MS);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** The next message. Throws if the process ran out of memory or time. */
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
