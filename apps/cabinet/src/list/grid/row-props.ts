import type { KeyboardEvent } from 'react';

/** The id of the element that names the row: its first cell, or the heading of its card. */
export const rowNameId = (id: string) => `row-${id}`;

/** Marks an element as a row: the keys move from row to row, Enter follows the row's link. */
export function rowProps(id: string, isHighlighted: boolean, isSelected: boolean) {
  return {
    tabIndex: -1,
    'data-row': id,
    'data-highlighted': isHighlighted || undefined,
    'data-selected': isSelected || undefined,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.currentTarget.querySelector('a')?.click();
    },
  };
}
