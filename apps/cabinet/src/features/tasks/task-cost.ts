import type { Bulk, Task, TaskRecipients } from '@heliograph/contract';
import type { SendingBody } from '../estimates/estimates.api.ts';
import { progressOf } from './task-progress.ts';

export interface TaskCost {
  charged: number;
  refunded: number;
  /** What is charged and not returned, for messages that wait as well. */
  net: number;
  /** The final cost if no other recipient fails; null before the first charge. */
  forecast: number | null;
}

/** Prices have four decimals: with two, the forecast of a small bulk would differ from what is charged. */
const tenThousandths = (sum: number): number => Math.round(sum * 10_000) / 10_000;

/** Whether nothing more of it is charged. */
export const isOver = ({ state }: Task): boolean =>
  ['stopped', 'completed', 'failed'].includes(state);

/** Sums in the account's currency. Remaining recipients are estimated at the average price so far. */
export function costOf(task: Task, refunded: number): TaskCost {
  const charged = task.meta.amount;
  const { total, expected } = progressOf(task);
  const net = Math.max(0, charged - refunded);
  if (isOver(task) || expected <= total)
    return { charged, refunded, net, forecast: isOver(task) ? null : net };
  return {
    charged,
    refunded,
    net,
    forecast: total > 0 ? tenThousandths(net + (charged / total) * (expected - total)) : null,
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
