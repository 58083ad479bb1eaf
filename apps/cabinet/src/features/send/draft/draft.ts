import type { Template } from '@heliograph/contract';
import type { SendingType } from '@heliograph/domain';
import { readDraft } from '../../../core/drafts.ts';
import { randomKey } from '../../../core/idempotency.ts';
import { withTemplate, type Copy } from '../form/template-values.ts';
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
  const draft = readDraft(key, 'tab');
  if (!draft) return null;
  try {
    const { version, values } = JSON.parse(draft.text) as { version: number; values: SendValues };
    if (version !== VERSION) return null;
    const whole = { ...emptyValues(values.type), ...values };
    whole.payload = { ...NO_PAYLOAD, ...values.payload };
    whole.variants = { ...emptyValues(values.type).variants, ...values.variants };
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

export interface Start {
  values: SendValues;
  /** When the draft was kept that it begins with; null when it begins with none. */
  restoredAt: number | null;
  /** A draft that is offered while the URL requests other values. */
  waiting: SavedDraft | null;
}

interface StartFrom {
  /** Where the tab keeps its draft. */
  key: string;
  /** Types of the account in the order they are offered. */
  types: readonly SendingType[];
  /** `?type=`, `?recipient=` and `?sender=` of a link to the wizard. */
  params: URLSearchParams;
  hasTemplate: boolean;
  /** A bulk to begin with. */
  copy?: Copy | null;
  /** `target:type` of the survey: the channel of the user's choice. */
  survey?: string;
}

/** The wizard's start values: from the URL, else from the draft, else empty. */
export function startValues({ key, types, params, hasTemplate, survey, copy }: StartFrom): Start {
  const draft = loadDraft(key);
  const [type, recipient] = [params.get('type'), params.get('recipient')];
  const asksElse = hasTemplate || !!type || !!recipient || !!copy;
  if (draft && !asksElse) {
    return { values: draft.values, restoredAt: draft.savedAt, waiting: null };
  }
  if (copy && types.includes(copy.type))
    return { values: withTemplate(emptyValues(copy.type), copy), restoredAt: null, waiting: draft };
  const ofAccount = (name = '') => types.find((one) => one === name);
  const asked = ofAccount(type ?? '');
  const values = emptyValues(asked ?? ofAccount(survey?.split(':')[1]) ?? types[0] ?? 'sms');
  // A name belongs to a channel.
  const sender = (asked && params.get('sender')) || '';
  return {
    values: {
      ...values,
      payload: { ...NO_PAYLOAD, sender },
      include: { lists: [], typed: recipient ?? '' },
    },
    restoredAt: null,
    waiting: draft,
  };
}
