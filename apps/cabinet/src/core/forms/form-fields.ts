/** Fields are found by the attribute that `field()` of a form gives them. */
const fieldsOf = (form: HTMLElement): HTMLElement[] => [
  ...form.querySelectorAll<HTMLElement>('[data-path]'),
];

const FOCUSABLE = 'input:not([type=hidden]), textarea, select, button';

export function findField(form: HTMLElement, path: string): HTMLElement | undefined {
  return fieldsOf(form).find(({ dataset }) => dataset.path === path);
}

/** Of several inputs of a field, the one that is marked; without a path the first that is marked at all. */
export function focusField(
  form: HTMLElement,
  path?: string,
  block: ScrollLogicalPosition = 'nearest',
): void {
  const field = path === undefined ? undefined : findField(form, path);
  const target = field?.matches(FOCUSABLE)
    ? field
    : ((field ?? form).querySelector<HTMLElement>('[aria-invalid=true]') ??
      field?.querySelector<HTMLElement>(FOCUSABLE));
  // A field in a closed part of the form takes no focus.
  target?.closest('details')?.setAttribute('open', '');
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block });
}

/** Of these fields the first in the order of the page. */
export function firstOf(form: HTMLElement, paths: readonly string[]): string | undefined {
  return fieldsOf(form).find(({ dataset }) => paths.includes(dataset.path!))?.dataset.path;
}

/** The visible label of a field, without the mark of a required one. */
export function labelOf(form: HTMLElement, path: string): string {
  const field = findField(form, path);
  const control = field?.matches(FOCUSABLE) ? (field as HTMLInputElement) : null;
  const label = control?.labels?.[0] ?? field?.querySelector('label, legend');
  return label?.textContent?.replace(' *', '').trim() || control?.ariaLabel || path;
}
