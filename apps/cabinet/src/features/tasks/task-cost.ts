import type { Task } from '@heliograph/contract';
import type { SendingBody } from '../estimates/estimates.api.ts';
import { progressOf } from './task-progress.ts';

export interface TaskCost {
  charged: number;
  refunded: number;
  /** What it has cost by now. */
  net: number;
  /** What it will have cost when nobody else fails; null when nobody has been charged for yet. */
  forecast: number | null;
}

/** More digits than that would pretend to know. */
const hundredths = (sum: number): number => Math.round(sum * 100) / 100;

/** Sums in the account's currency. The recipients to come are reckoned at the average of those charged for. */
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

/** Longer lists of typed phones are cut in the task's data. */
const MAX_WHOLE_RECIPIENTS = 1000;

/** What the task will send, to have it priced before it starts; null when the task does not tell all of it. */
export function draftOf(
  { data, OwnerId }: Task,
  { include, exclude }: Task['data']['recipients'],
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
