import type { Template } from '@heliograph/contract';
import { readDraft } from '../../../core/drafts.ts';
import { randomKey } from '../../../core/idempotency.ts';
import { withTemplate } from '../form/from-template.ts';
import {
  emptyValues,
  isBlank,
  NO_PAYLOAD,
  toInput,
  type MessageValues,
  type SendValues,
} from '../form/send-values.ts';

export interface SavedDraft {
  values: SendValues;
  /** Unix milliseconds. */
  savedAt: number;
}

const VERSION = 1;
/** A pasted column of this length is not kept: the browser gives a site a few megabytes for everything. */
const MAX_LENGTH = 500_000;

/** The draft to store; null when there is nothing worth storing. */
export function packDraft(values: SendValues): string | null {
  if (isBlank(values)) return null;
  const text = JSON.stringify({ version: VERSION, values });
  return text.length > MAX_LENGTH ? null : text;
}

/** The stored draft; null when there is none, it cannot be parsed, or it is of another version. */
export function loadDraft(key: string): SavedDraft | null {
  const draft = readDraft(key);
  if (!draft) return null;
  try {
    const { version, values } = JSON.parse(draft.text) as { version: number; values: SendValues };
    if (version !== VERSION) return null;
    const whole = { ...emptyValues(values.type), ...values };
    whole.payload = { ...NO_PAYLOAD, ...values.payload };
    whole.fallbacks = whole.fallbacks.map((fallback) => ({
      ...fallback,
      id: fallback.id ?? randomKey(),
    }));
    return isBlank(whole) ? null : { values: whole, savedAt: draft.savedAt };
  } catch {
    return null;
  }
}

/** A name is chosen quickly again, and by itself where there is only one. */
const unsigned = <M extends MessageValues>(message: M): M => ({
  ...message,
  payload: { ...message.payload, sender: '' },
});

const contentOf = (values: SendValues): string =>
  JSON.stringify(toInput({ ...unsigned(values), fallbacks: values.fallbacks.map(unsigned) }));

/** Whether the form has only its start values, or those of a template. */
export function isAsBrought(
  values: SendValues,
  start: SendValues,
  template: Template | null,
): boolean {
  const content = contentOf(values);
  return (
    content === contentOf(start) ||
    (!!template && content === contentOf(withTemplate(start, template)))
  );
}
