import { neutralizeCell } from '@heliograph/domain';

const cellOf = (text: string) => `"${neutralizeCell(text).replaceAll('"', '""')}"`;

/** A file that Excel opens with the right letters, and in which no cell is a formula. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  '\uFEFF' + lines.map((line) => line.map(cellOf).join(';') + '\r\n').join('');
