import { neutralizeCell } from '@heliograph/domain';

type Cell = string | number | null;

function cellOf(cell: Cell, mark: string): string {
  if (typeof cell === 'string') return `"${neutralizeCell(cell).replaceAll('"', '""')}"`;
  return `${cell ?? ''}`.replace('.', mark);
}

/** A file that Excel opens with the right letters, and in which no cell is a formula. Numbers have the decimal mark of a language, and all their digits. */
export function csvText(lines: readonly (readonly Cell[])[], locale = 'en'): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const mark = parts.find(({ type }) => type === 'decimal')!.value;
  return (
    '\uFEFF' +
    lines.map((line) => line.map((cell) => cellOf(cell, mark)).join(';') + '\r\n').join('')
  );
}
