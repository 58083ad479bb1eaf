import { copy } from '../../core/copy.ts';
import { useKeys } from '../../core/keys/keys.ts';
import type { List } from '../state/use-list.ts';
import type { Selection } from '../state/use-selection.ts';

const currentRows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const focusedRow = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;

function move(step: 1 | -1): void {
  const rows = currentRows();
  const at = focusedRow();
  const next = at ? rows[rows.indexOf(at) + step] : rows.at(step > 0 ? 0 : -1);
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function copyId(): void {
  const id = focusedRow()?.dataset.row;
  if (id) void copy(id);
}

/** Focuses the first action of the row, or the next one. */
function focusNextAction(): void {
  const actions = [
    ...(focusedRow()?.querySelectorAll<HTMLElement>('[data-actions] :is(a, button:enabled)') ?? []),
  ];
  const next = actions.indexOf(document.activeElement as HTMLElement) + 1;
  (actions[next] ?? actions[0])?.focus();
}

/**
 * Rows by keyboard: `j` `k` to move, Enter to open, `x` to select, `c` to copy the id, `e` to edit, `.` for the row's
 * actions, `r` to refetch.
 */
export function useListKeys<T extends { id: string }>(
  list: List<T>,
  selection: Selection<T> | undefined,
): void {
  const select = (range: boolean) => {
    const row = list.rows.find(({ id }) => id === focusedRow()?.dataset.row);
    if (row) selection?.toggle(row, range);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    r: list.retry,
    x: () => select(false),
    'shift+x': () => select(true),
    c: copyId,
    '.': focusNextAction,
    e: () => focusedRow()?.querySelector<HTMLElement>('[aria-keyshortcuts=e]')?.click(),
    ...(selection?.rows.length && { escape: selection.clear }),
  });
}
