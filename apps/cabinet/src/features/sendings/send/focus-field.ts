/** Moves to the named field, else to the first one that is marked wrong, once it is drawn. */
export function focusField(field?: string): void {
  // Two frames: the first draws the step, the second its marks.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const place = field && document.querySelector<HTMLElement>(`[data-field="${field}"]`);
      const scope = place || document.querySelector<HTMLElement>('[data-wizard]');
      const target =
        scope?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
        (place && scope?.querySelector<HTMLElement>('input, textarea, select, button'));
      if (!target) return;
      target.focus();
      target.scrollIntoView({ block: 'center' });
    }),
  );
}
