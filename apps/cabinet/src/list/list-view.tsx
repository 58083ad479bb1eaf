import { Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../ui/empty.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import type { FilterField } from './filters/filter-field.ts';
import { DataGrid } from './grid/data-grid.tsx';
import type { GridProps } from './grid/grid-props.ts';
import { Pager } from './grid/pager.tsx';
import type { ListPageState } from './state/use-list-page.ts';
import { useRowLink } from './state/use-row-link.ts';

export type ListRow = { id: string; updatedAt?: string };

/** What a list without rows shows. */
export interface ListEmpty {
  icon: Icon;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** Below the rest, such as an example. */
  below?: ReactNode;
}

export interface ListViewProps<T extends ListRow> extends Omit<
  GridProps<T>,
  'list' | 'control' | 'filters' | 'rowTo' | 'empty'
> {
  page: ListPageState<T>;
  fields: FilterField[];
  empty: ListEmpty;
  /** By default a row opens the current URL with its `?id=`; null for rows that open nothing. */
  rowTo?: GridProps<T>['rowTo'] | null;
}

/** Filters, rows and pages of a list, without a header. */
export function ListView<T extends ListRow>(props: ListViewProps<T>) {
  const { page, fields, empty, rowTo, ...grid } = props;
  const { icon, title, text, action, below } = empty;
  const rowLink = useRowLink();
  return (
    <>
      <DataGrid
        {...grid}
        {...page}
        filters={<FilterBar fields={fields} control={page.control} />}
        rowTo={rowTo === null ? undefined : (rowTo ?? rowLink)}
        empty={
          <>
            <Empty icon={icon} title={title} text={text}>
              {action}
            </Empty>
            {below && (
              <Group justify="center" px="md" pb="xl">
                {below}
              </Group>
            )}
          </>
        }
      />
      <Pager {...page} />
    </>
  );
}
