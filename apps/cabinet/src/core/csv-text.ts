import { neutralizeCell } from '@heliograph/domain';

type Cell = string | number | null;

const cellOf = (cell: Cell) =>
  typeof cell === 'string' ? `"${neutralizeCell(cell).replaceAll('"', '""')}"` : `${cell ?? ''}`;

/** A file that Excel opens with the right letters, and in which no cell is a formula. */
export const csvText = (lines: readonly (readonly Cell[])[]): string =>
  '\uFEFF' + lines.map((line) => line.map(cellOf).join(';') + '\r\n').join('');
