import { isSendingType, type SendingType } from '@heliograph/domain';
import { stored } from '../../../core/stored.ts';
import { draftKey, unpackDraft } from './draft.ts';
import { emptyValues, type SendValues } from './send-values.ts';

export interface Start {
  values: SendValues;
  /** When the draft was kept that it begins with; null when it begins with none. */
  restoredAt: number | null;
}

interface StartFrom {
  userId: string;
  /** Types of the account in the order they are offered. */
  types: readonly SendingType[];
  /** `?type=` and `?recipient=` of a link to the wizard. */
  params: URLSearchParams;
  hasTemplate: boolean;
}

/** What the wizard opens with: what its address asks for, else what was left unfinished, else nothing. */
export function startValues({ userId, types, params, hasTemplate }: StartFrom): Start {
  const [first = 'sms'] = types;
  const asked = params.get('type') ?? '';
  const recipient = params.get('recipient');
  const type = isSendingType(asked) && types.includes(asked) ? asked : first;
  const empty = emptyValues(type);
  if (recipient) {
    return { values: { ...empty, include: { lists: [], typed: recipient } }, restoredAt: null };
  }
  const draft = hasTemplate || asked ? null : unpackDraft(stored.get(draftKey(userId)));
  return draft
    ? { values: draft.values, restoredAt: draft.savedAt }
    : { values: empty, restoredAt: null };
}
