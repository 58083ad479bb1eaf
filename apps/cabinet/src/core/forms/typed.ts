import { useMemo, type FocusEvent, type FormEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Where one writes: in a form, which is sent; what is looked for is found again quickly. */
const WRITTEN =
  'form :is(textarea, input:not([type=checkbox], [type=radio], [type=file], [type=search]))';

/** Whether words stand in the forms of a part of the page that were typed there and not sent. */
export function useTyped() {
  return useMemo(() => {
    const fields = new Map<Field, { before: string; isTyped: boolean }>();
    return {
      isThere: (): boolean =>
        [...fields].some(
          ([field, { before, isTyped }]) => isTyped && field.isConnected && field.value !== before,
        ),
      /** For the element around them. */
      watch: {
        onFocusCapture({ target }: FocusEvent): void {
          if (target.matches(WRITTEN) && !fields.get(target as Field)?.isTyped)
            fields.set(target as Field, { before: (target as Field).value, isTyped: false });
        },
        onInputCapture({ target }: FormEvent): void {
          const field = fields.get(target as Field);
          if (field) field.isTyped = true;
        },
      },
    };
  }, []);
}

/** Keys that a dialog has answered to: those that lie under it hear them too. */
const answered = new WeakSet<Event>();

/** Is it this dialog, of those that are open, that a key or a click is for? */
export function isOnTop(id: string): boolean {
  const { event } = window;
  if (event && answered.has(event)) return false;
  const open = [...document.querySelectorAll('[data-dialog]:has([role=dialog])')];
  const top = open.at(-1)?.getAttribute('data-dialog');
  if (top !== id) return false;
  if (event) answered.add(event);
  return true;
}
