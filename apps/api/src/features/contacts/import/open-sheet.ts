import { AppError } from '../../../core/errors.ts';
import { openCsv } from './csv.ts';
import { firstBytes, unreadable, type Sheet } from './sheet.ts';
import { openXlsx } from './xlsx.ts';

/** More rows than a contact list has, blank ones counted: each is read before it is known to be blank. */
const MAX_LINES = 2_000_000;

/** The table in a file. */
export async function openSheet(path: string): Promise<Sheet> {
  const sheet = await open(path);
  return { ...sheet, rows: counted(sheet.rows) };
}

async function* counted(rows: Sheet['rows']): Sheet['rows'] {
  let lines = 0;
  for await (const row of rows) {
    if (++lines > MAX_LINES)
      throw new AppError('too_large', `At most ${MAX_LINES} lines at a time. Split the file`, {
        payload: { max: MAX_LINES },
      });
    yield row;
  }
}

/** By its first bytes and not by its name: a CSV may be called .xls, a workbook .csv. */
async function open(path: string): Promise<Sheet> {
  const head = await firstBytes(path, 8);
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return openXlsx(path);
  if (head.toString('hex') === 'd0cf11e0a1b11ae1') {
    throw unreadable(
      'This is a workbook of Excel 97-2003 or one with a password. Save it as .xlsx without a password, or as .csv',
    );
  }
  return openCsv(path);
}
