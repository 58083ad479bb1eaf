import type { ReactNode } from 'react';

export interface GridColumn<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Only fields that the list's `order` names; the id is the field. */
  sortable?: boolean;
  /** `end` for numbers, so that digits align. */
  align?: 'end';
  /** Pixels; a column without a width shares what is left. */
  width?: number;
  /** Below this width of the window the column is hidden; its value is in the details. */
  hideBelow?: 'md' | 'lg' | 'xl';
  /** Hidden until the user shows it. */
  isOptional?: boolean;
  /** Blurred when the user switches blurring on: amounts, phones, names, texts. */
  isSensitive?: boolean;
  /**
   * How a card on a small screen shows it: as the heading, at the heading's end, in the line below it, across the card
   * with or (`body`) without its name. Otherwise as one of two in a line, with its name. What is empty is left out.
   */
  card?: 'title' | 'end' | 'note' | 'wide' | 'body';
  /** Empty in most rows: a card that is loading keeps no room for it. */
  isRare?: boolean;
}
