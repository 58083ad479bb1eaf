import type { Bulk, Task, TaskRecipients } from '@heliograph/contract';
import type { SendingBody } from '../estimates/estimates.api.ts';
import { progressOf } from './task-progress.ts';

export interface TaskCost {
  charged: number;
  refunded: number;
  /** The cost so far. */
  net: number;
  /** The final cost if no other recipient fails; null before the first charge. */
  forecast: number | null;
}

/** More digits would suggest a precision that an estimate does not have. */
const hundredths = (sum: number): number => Math.round(sum * 100) / 100;

/** Sums in the account's currency. Remaining recipients are estimated at the average price so far. */
export function costOf(task: Task, refunded: number): TaskCost {
  const charged = task.meta.amount;
  const { total, expected } = progressOf(task);
  const net = Math.max(0, charged - refunded);
  const isOver = ['stopped', 'completed', 'failed'].includes(task.state);
  if (isOver || expected <= total) return { charged, refunded, net, forecast: isOver ? null : net };
  return {
    charged,
    refunded,
    net,
    forecast: total > 0 ? hundredths(net + (charged / total) * (expected - total)) : null,
  };
}

/** Longer lists of typed recipients are truncated in the task's data. */
const MAX_WHOLE_RECIPIENTS = 1000;

/** The task's sending, for an estimate before it starts; null when the task's data does not contain all recipients. */
export function draftOf(
  { data, OwnerId }: Bulk,
  { include, exclude }: TaskRecipients,
): SendingBody | null {
  const { type, payload, fallbacks } = data.sending;
  const [included, excluded] = [include.recipients ?? [], exclude.recipients ?? []];
  if (included.length >= MAX_WHOLE_RECIPIENTS || excluded.length >= MAX_WHOLE_RECIPIENTS)
    return null;
  return {
    type,
    payload,
    fallbacks,
    OwnerId,
    recipient: {
      include: [...include.lists, ...included],
      exclude: [...exclude.lists, ...excluded],
    },
  } as SendingBody;
}
