import type { KeyboardEvent } from 'react';
import type { ViewProps } from './grid-props.ts';

/** What marks an element as a row: the keys walk from one to the next, Enter follows its link. */
export function rowProps<T extends { id: string; updatedAt?: string }>(
  row: T,
  { fresh, selection }: Pick<ViewProps<T>, 'fresh' | 'selection'>,
) {
  return {
    tabIndex: -1,
    'data-row': row.id,
    'data-fresh': fresh.has(row.id) || undefined,
    'data-selected': selection?.has(row.id) || undefined,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.currentTarget.querySelector('a')?.click();
    },
  };
}
