import type { Rows } from '../sheet.ts';
import { FileError } from './file-error.ts';
import type { Ask, Batch, Failure, Opened } from './messages.ts';
import { openTable } from './open-table.ts';
import { filledRows } from './table.ts';

/**
 * The process that reads a file (`reader-process.ts`): it says what it opened, and then answers each question with the next
 * rows. It ends with its caller. Nothing in this folder imports what reads settings or takes long to load.
 */

/** Small enough that a caller handles a batch within some milliseconds. */
const BATCH_ROWS = 500;
const BATCH_LENGTH = 64 * 1024;

process.on('disconnect', () => process.exit());

const say = (message: Opened | Batch | Failure) => process.send!(message);

function failureOf(error: unknown): Failure {
  if (!(error instanceof FileError)) throw error;
  const { code, message, payload } = error;
  return { error: { code, message, payload } };
}

const [path, formats] = process.argv.slice(2) as [string, 'all' | 'plain'];
const table = await openTable(path, formats).catch((error: unknown) => {
  say(failureOf(error));
  return null;
});

let rows: Rows | undefined;
/** What follows the rows that were read before it. */
let failure: Failure | undefined;

async function batch(): Promise<Batch | Failure> {
  if (failure) return failure;
  const found: Batch = { rows: [], isLast: false, ratio: 0 };
  let length = 0;
  try {
    while (found.rows.length < BATCH_ROWS && length < BATCH_LENGTH) {
      const { value } = await rows!.next();
      if (!value) {
        found.isLast = true;
        break;
      }
      found.rows.push(value);
      for (const cell of value.cells) length += cell.length + 1;
    }
  } catch (error) {
    failure = failureOf(error);
    if (!found.rows.length) return failure;
  }
  return { ...found, ratio: table!.ratio() };
}

if (table) {
  /** The next rows are read while the caller works on those before. */
  let next: Promise<Batch | Failure> | undefined;
  process.on('message', async (ask: Ask) => {
    if ('sheet' in ask) {
      await next;
      await rows?.return();
      failure = undefined;
      rows = filledRows(table, ask.sheet, ask.limit);
      next = batch();
    }
    const found = await (next ?? batch());
    say(found);
    next = 'error' in found || found.isLast ? undefined : batch();
  });
  say({ delimiter: table.delimiter, sheets: table.sheets });
}
