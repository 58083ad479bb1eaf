import { Text } from '@mantine/core';
import { useCallback, type ReactNode } from 'react';
import { PageHeader } from '../ui/page-header.tsx';
import { ListTotal } from './grid/list-total.tsx';
import { ListView, type ListRow, type ListViewProps } from './list-view.tsx';
import { isFirstUse } from './state/list-state.ts';
import { useRemoval, type Removal } from './use-removal.tsx';

export interface ListPageProps<T extends ListRow> extends Omit<ListViewProps<T>, 'caption'> {
  title: string;
  /** Where the rows of this list belong to. */
  back?: { to: string; label: string };
  /** The kind of the object, or the period, beside the title. */
  mark?: ReactNode;
  /** The main button: in the header, or in the middle of a list that has no rows yet. */
  create?: ReactNode;
  /** Further buttons of the header. */
  header?: ReactNode;
  /** Between the header and the filters: a sentence, or elements. */
  intro?: ReactNode;
  /** How rows are removed, by the last one of their buttons. */
  removal?: Removal<T>;
  /** Dialogs and drawers of the page. */
  children?: ReactNode;
}

/** A page of a list: its header, filters, rows and pages, and the dialogs that rows and buttons open. */
export function ListPage<T extends ListRow>({ removal, ...props }: ListPageProps<T>) {
  return removal ? <WithRemoval {...props} removal={removal} /> : <Page {...props} />;
}

type WithRemovalProps<T extends ListRow> = ListPageProps<T> & { removal: Removal<T> };

function WithRemoval<T extends ListRow>({ removal, ...props }: WithRemovalProps<T>) {
  const { actions, actionsWidth = 64 } = props;
  const [button, dialog] = useRemoval(removal);
  const all = useCallback(
    (row: T) => {
      const own = actions?.(row);
      const remove = button?.(row);
      return (
        (own || remove) && (
          <>
            {own}
            {remove}
          </>
        )
      );
    },
    [actions, button],
  );
  return (
    <Page {...props} actions={(actions ?? button) && all} actionsWidth={actionsWidth}>
      {props.children}
      {dialog}
    </Page>
  );
}

function Page<T extends ListRow>(props: ListPageProps<T>) {
  const { title, back, mark, create, header, intro, children, ...view } = props;
  const { control, list } = view.page;
  const shown = !isFirstUse(list, control.state) && create;
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        mark={
          <>
            {mark}
            <ListTotal {...view.page} />
          </>
        }
      >
        {(shown || header) && (
          <>
            {shown}
            {header}
          </>
        )}
      </PageHeader>
      {typeof intro === 'string' ? (
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {intro}
        </Text>
      ) : (
        intro
      )}
      <ListView {...view} caption={title} empty={{ action: create, ...view.empty }} />
      {children}
    </>
  );
}
