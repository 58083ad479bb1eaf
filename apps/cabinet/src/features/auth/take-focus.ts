/** A ref for what has taken the place of the focused: `autoFocus` is for fields alone. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
