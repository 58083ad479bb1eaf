import type { SendingType } from '@heliograph/domain';
import { loadDraft, type SavedDraft } from './draft.ts';
import { emptyValues, NO_PAYLOAD, type SendValues } from '../form/send-values.ts';

export interface Start {
  values: SendValues;
  /** When the draft was kept that it begins with; null when it begins with none. */
  restoredAt: number | null;
  /** A draft that is offered while the URL requests other values. */
  waiting: SavedDraft | null;
}

interface StartFrom {
  /** Where the tab keeps its draft. */
  place: string;
  /** Types of the account in the order they are offered. */
  types: readonly SendingType[];
  /** `?type=`, `?recipient=` and `?sender=` of a link to the wizard. */
  params: URLSearchParams;
  hasTemplate: boolean;
  /** `target:type` of the survey: the channel of the user's choice. */
  survey?: string;
}

/** The wizard's start values: from the URL, else from the draft, else empty. */
export function startValues({ place, types, params, hasTemplate, survey }: StartFrom): Start {
  const draft = loadDraft(place);
  const [type, recipient] = [params.get('type'), params.get('recipient')];
  const asksElse = hasTemplate || !!type || !!recipient;
  if (draft && !asksElse) {
    return { values: draft.values, restoredAt: draft.savedAt, waiting: null };
  }
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
