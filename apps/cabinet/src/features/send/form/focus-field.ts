const FIELDS = 'input, textarea, select, button';

/**
 * Moves to the named field, else to the first one that is marked wrong, once it is drawn. `nearest` moves the page no
 * further than brings the field into sight.
 */
export function focusField(field?: string, block: ScrollLogicalPosition = 'center'): void {
  // Two frames: the first draws the step, the second its marks.
  requestAnimationFrame(() => requestAnimationFrame(() => focusNow(field, block)));
}

function focusNow(field: string | undefined, block: ScrollLogicalPosition): void {
  const place = field ? document.querySelector<HTMLElement>(`[data-field="${field}"]`) : null;
  const scope = place ?? document.querySelector<HTMLElement>('[data-wizard]');
  const target = place?.matches(FIELDS)
    ? place
    : (scope?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      place?.querySelector<HTMLElement>(FIELDS));
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block });
}
