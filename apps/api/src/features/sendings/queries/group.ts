import type { Sending, Bulk, Task } from '@heliograph/contract';
import {
  countSegments,
  DEFAULT_GROUP,
  STOPPED,
  type Outcome,
  type Status,
} from '@heliograph/domain';
import type { StoredSending } from '../plan.ts';
import { errorText, presentRequest, presentRecipients, type SendingRow } from './sending.row.ts';

/** The attempt that decides the outcome of a chain: the delivered one, else the last. */
export function decisiveAttempt(attempts: SendingRow[]): SendingRow {
  const delivered = attempts.find(({ deliveredAt }) => deliveredAt !== null);
  return delivered ?? attempts.at(-1)!;
}

/**
 * A bulk in the shape of a sending, for clients that request a sending with the id of a group. `state` is that of the bulk, `counters`
 * give the details. Delivered when at least one recipient was reached.
 */
export function presentGroup(task: Bulk): Sending {
  const { sending, recipients } = task.data;
  const stored = sending as unknown as StoredSending;
  const { type, payload, callbackData } = stored;
  const { characters, encoding } = countSegments(payload.text ?? '');
  const status = statusOf(task);
  const code =
    status === 'failed' ? (task.reason ?? (task.state === 'stopped' ? STOPPED : 'unknown')) : null;
  const { lists, recipients: typed = [] } = recipients.include;
  return {
    id: task.id,
    type,
    recipient: lists.length === 0 && typed.length === 1 ? typed[0]! : '',
    payload,
    ...presentRequest(stored),
    recipients: presentRecipients(recipients),
    state: { status, outcome: outcomeOf(task), error: code && errorText(code), code },
    chainId: task.id,
    groupId: task.id,
    attempt: 0,
    live: stored.live !== false,
    OwnerId: task.OwnerId,
    ...(task.Owner && { Owner: task.Owner }),
    meta: {
      billings: { ids: [] },
      billing: null,
      stats: { segments: 0, characters, encoding },
      recipientGroup: DEFAULT_GROUP,
      counters: task.meta.counters,
    },
    ...(callbackData !== undefined && { callbackData }),
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    dueAt: null,
    cancellable: false,
    sentAt: null,
    deliveredAt: null,
    seenAt: null,
    failedAt: status === 'failed' ? task.finishedAt : null,
  };
}

function statusOf({ state, meta: { counters } }: Task): Status {
  if (state === 'paused') return 'paused';
  if (state === 'scheduled') return 'pending';
  if (state === 'running') return counters.total > 0 ? 'processing' : 'pending';
  return counters.completed > 0 ? 'delivered' : 'failed';
}

/** Delivered when at least one recipient was reached, cancelled when the task was stopped before any failed. */
function outcomeOf({ state, meta: { counters } }: Task): Outcome {
  if (state === 'paused' || state === 'scheduled' || state === 'running') return 'pending';
  if (counters.completed > 0) return 'delivered';
  return state === 'stopped' && !counters.errored ? 'cancelled' : 'failed';
}
