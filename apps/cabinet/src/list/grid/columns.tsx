import { Time } from '../../ui/time.tsx';
import type { GridColumn } from './grid-column.ts';

type Options = Omit<GridColumn<unknown>, 'id' | 'header' | 'cell'>;

/** A column of a time by which the list can be sorted; empty where there is none. */
export function timeColumn<K extends string>(
  id: K,
  header: string,
  options: Options,
): GridColumn<Record<K, string | null>> {
  const cell = ({ [id]: at }: Record<K, string | null>) => at && <Time at={at} />;
  return { id, header, cell, sortable: true, ...options };
}
