import type { KeyboardEvent } from 'react';

/** The id of the element that says which row it is: its first cell, or the heading of its card. */
export const rowNameId = (id: string) => `row-${id}`;

/** What marks an element as a row: the keys walk from one to the next, Enter follows its link. */
export function rowProps(id: string, isFresh: boolean, isTicked: boolean) {
  return {
    tabIndex: -1,
    'data-row': id,
    'data-fresh': isFresh || undefined,
    'data-selected': isTicked || undefined,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.currentTarget.querySelector('a')?.click();
    },
  };
}
