import { tryCopy } from '../core/copy.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { useKeys } from '../core/keys/keys.ts';
import { showSuccess } from '../core/toast.tsx';
import type { List } from './use-list.ts';
import type { Selection } from './use-selection.ts';

const rowsNow = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const here = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;

function move(step: 1 | -1): void {
  const rows = rowsNow();
  const at = here();
  const next = at ? rows[rows.indexOf(at) + step] : rows.at(step > 0 ? 0 : -1);
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

async function copy(): Promise<void> {
  const id = here()?.dataset.row;
  if (id && (await tryCopy(id))) showSuccess(i18n.t('copied'));
}

/** To the first deed of the row, or on to the next one. */
function toActs(): void {
  const acts = [
    ...(here()?.querySelectorAll<HTMLElement>('[data-acts] :is(a, button:enabled)') ?? []),
  ];
  const next = acts.indexOf(document.activeElement as HTMLElement) + 1;
  (acts[next] ?? acts[0])?.focus();
}

/**
 * Rows by keyboard: `j` `k` to walk, Enter to open, `x` to tick, `c` for the id, `e` to edit, `.` for whatever can be
 * done with it, `r` to ask again.
 */
export function useListKeys<T extends { id: string }>(
  list: List<T>,
  selection: Selection<T> | undefined,
): void {
  const tick = (range: boolean) => {
    const row = list.rows.find(({ id }) => id === here()?.dataset.row);
    if (row) selection?.toggle(row, range);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    r: list.retry,
    x: () => tick(false),
    'shift+x': () => tick(true),
    c: () => void copy(),
    '.': toActs,
    e: () => here()?.querySelector<HTMLElement>('[aria-keyshortcuts=e]')?.click(),
    ...(selection?.rows.length && { escape: selection.clear }),
  });
}
