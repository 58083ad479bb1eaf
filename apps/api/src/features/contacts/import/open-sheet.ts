import { openCsv } from './csv.ts';
import { firstBytes, unreadable, type Sheet } from './sheet.ts';
import { openXlsx } from './xlsx.ts';

/** By its first bytes and not by its name: a CSV may be called .xls, a workbook .csv. */
export async function openSheet(path: string): Promise<Sheet> {
  const head = await firstBytes(path, 8);
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return openXlsx(path);
  if (head.toString('hex') === 'd0cf11e0a1b11ae1') {
    throw unreadable(
      'This is a workbook of Excel 97-2003 or one with a password. Save it as .xlsx without a password, or as .csv',
    );
  }
  return openCsv(path);
}
