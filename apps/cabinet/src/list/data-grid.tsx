import { useMediaQuery } from '@mantine/hooks';
import { CardList } from './card-list.tsx';
import type { GridProps } from './grid-props.ts';
import { GridTable } from './grid-table.tsx';
import { ListStatus } from './list-status.tsx';
import { useFresh } from './use-fresh.ts';

/** Rows as a table, below 768 px as cards; loading, failed and empty lists alike. */
export function DataGrid<T extends { id: string; updatedAt?: string }>(props: GridProps<T>) {
  const { list, control, empty } = props;
  const cards = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const fresh = useFresh(list.rows, list.askKey);
  const View = cards ? CardList : GridTable;
  return (
    <ListStatus list={list} control={control} empty={empty}>
      <View {...props} fresh={fresh} />
    </ListStatus>
  );
}
