import type { Suppression } from '@heliograph/contract';
import { neutralizeCell } from '@heliograph/domain';

/** The words of a field with one in a line. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/[\n,;\t]/)
    .map((word) => word.trim())
    .filter(Boolean);

const cell = (text: string) => `"${neutralizeCell(text).replaceAll('"', '""')}"`;

interface CsvTexts {
  header: readonly string[];
  typeOf: (row: Suppression) => string;
  reasonOf: (row: Suppression) => string;
}

/** A file that Excel opens with the right letters. */
export function csvOf(
  rows: readonly Suppression[],
  { header, typeOf, reasonOf }: CsvTexts,
): string {
  const lines = rows.map((row) => [
    row.address,
    typeOf(row),
    reasonOf(row),
    row.note ?? '',
    row.createdAt,
  ]);
  return '\uFEFF' + [header, ...lines].map((line) => line.map(cell).join(';') + '\r\n').join('');
}
