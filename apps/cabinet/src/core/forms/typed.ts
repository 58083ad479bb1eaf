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
