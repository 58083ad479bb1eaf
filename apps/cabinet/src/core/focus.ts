/** A ref for an element that replaces the focused one. `autoFocus` is for fields alone. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
