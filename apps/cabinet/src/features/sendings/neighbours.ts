export interface Neighbours {
  previous: string | null;
  next: string | null;
}

/** The rows before and after one on the page of the list; none when it is not on it. */
export function neighboursOf(ids: readonly string[], id: string | null): Neighbours {
  const at = id ? ids.indexOf(id) : -1;
  if (at < 0) return { previous: null, next: null };
  return { previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}

/** Elements that use the arrow keys themselves: tabs, fields, scrollable areas. */
const OWN_ARROWS = '[role=tablist], input, textarea, select, pre';

/** The neighbour that a key selects. */
export function keyedNeighbour(
  event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  target: Element,
  { previous, next }: Neighbours,
): string | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  if (target.closest(OWN_ARROWS)) return null;
  return event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : null;
}
