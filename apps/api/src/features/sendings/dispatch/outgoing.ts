import { typeOf } from '@heliograph/domain';
import type { OutgoingMessage } from '../../../channels/channel.ts';
import type { UnsubscribeLink } from '../../suppressions/unsubscribe-links.service.ts';
import type { DueRow, LeasedBatch } from './dispatch.store.ts';
import { planOf, type ChainPlan } from '../plan.ts';

/** The messages of a batch in the form that drivers take. */
export function messagesOf(
  batch: LeasedBatch,
  rows: DueRow[],
  link: UnsubscribeLink,
  now: Date,
): OutgoingMessage[] {
  const shared = planOfBatch(batch)?.attempts[batch.attempt]?.payload;
  const type = typeOf(batch.type);
  return rows.map((row) => {
    // What was written, with its variables, is never sent: a text that is blank for a recipient is none.
    const { text: _, ...payload }: Record<string, unknown> = {
      ...(shared ?? row.data?.payload),
      ...row.data?.parts,
    };
    return {
      reference: row.id,
      type,
      sender: row.sender,
      recipient: row.phone,
      payload: { ...payload, ...(row.body !== null && { text: row.body }) },
      segments: row.segments,
      tries: batch.tries,
      ...(batch.validUntil && { validity: validityOf(batch.validUntil, now) }),
      ...(type === 'email' && { headers: unsubscribeHeaders(link(row.id)) }),
    };
  });
}

const validityOf = (until: Date, now: Date) => ({
  until: until.toISOString(),
  seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
});

/** RFC 2369, and RFC 8058: the mail client unsubscribes by one POST, without a page. */
const unsubscribeHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export function planOfBatch(batch: LeasedBatch): ChainPlan | null {
  return batch.plan && planOf(batch.taskId ?? batch.firstId, batch.plan);
}

/** Seconds after the submit at which fallbacks by timeout start; null when the batch has none. */
export function timeoutAfter(batch: LeasedBatch): number | null {
  const item = planOfBatch(batch)?.triggers[batch.attempt];
  return item?.onTimeout?.timeout || null;
}

/** Ids in every log line about a batch, and how many others are submitted with it. */
export const logIdsOf = ({ id, taskId, channel }: LeasedBatch, others = 0) => ({
  batchId: id,
  ...(taskId && { taskId }),
  ...(others > 0 && { others }),
  channel,
});
