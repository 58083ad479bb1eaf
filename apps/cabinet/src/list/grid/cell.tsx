import { Blurred } from '../../ui/blurred.tsx';
import type { GridColumn } from './grid-column.ts';

/** One value of a row, blurred when its column is sensitive and blurring is on. */
export function Cell<T>({ column, row }: { column: GridColumn<T>; row: T }) {
  const content = column.cell(row);
  return column.isSensitive ? <Blurred what={column.header}>{content}</Blurred> : content;
}
