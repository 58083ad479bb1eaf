import type { Suppression } from '@heliograph/contract';
import { csvText } from '../../core/csv-text.ts';

/** The words of a field with one in a line. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/[\n,;\t]/)
    .map((word) => word.trim())
    .filter(Boolean);

interface CsvTexts {
  header: readonly string[];
  typeOf: (row: Suppression) => string;
  reasonOf: (row: Suppression) => string;
}

/** A file of the list. */
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
  return csvText([header, ...lines]);
}
