import type { ReactNode } from 'react';
import { PageHeader } from '../ui/page-header.tsx';
import { ListView, type ListRow, type ListViewProps } from './list-view.tsx';
import { isFirstUse } from './state/list-state.ts';

export interface ListPageProps<T extends ListRow> extends Omit<ListViewProps<T>, 'caption'> {
  title: string;
  /** Where the rows of this list belong to. */
  back?: { to: string; label: string };
  /** The main button: in the header, or in the middle of a list that has no rows yet. */
  create?: ReactNode;
  /** Further buttons of the header. */
  header?: ReactNode;
  /** Between the header and the filters. */
  intro?: ReactNode;
  /** Dialogs and drawers of the page. */
  children?: ReactNode;
}

/** A page of a list: its header, filters, rows and pages, and the dialogs that rows and buttons open. */
export function ListPage<T extends ListRow>(props: ListPageProps<T>) {
  const { title, back, create, header, intro, children, ...view } = props;
  const { control, list } = view.page;
  const shown = !isFirstUse(list, control.state) && create;
  return (
    <>
      <PageHeader title={title} back={back}>
        {(shown || header) && (
          <>
            {shown}
            {header}
          </>
        )}
      </PageHeader>
      {intro}
      <ListView {...view} caption={title} empty={{ action: create, ...view.empty }} />
      {children}
    </>
  );
}
