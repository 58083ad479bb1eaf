import { typeOf } from '@heliograph/domain';
import type { SubmitResult, OutgoingMessage } from '../../../channels/channel.ts';
import type { DueRow, Leased } from './dispatch.store.ts';
import { planOf, type ChainPlan } from '../plan.ts';

/** What a driver is given of a batch. */
export function messagesOf(batch: Leased, rows: DueRow[]): OutgoingMessage[] {
  const shared = planOfBatch(batch)?.attempts[batch.attempt]?.payload;
  return rows.map((row) => ({
    reference: row.id,
    type: typeOf(batch.type),
    sender: row.sender,
    recipient: row.phone,
    payload: { ...(shared ?? row.data?.payload), ...(row.body !== null && { text: row.body }) },
    segments: row.segments,
    tries: batch.tries,
  }));
}

export function planOfBatch(batch: Leased): ChainPlan | null {
  return batch.plan && planOf(batch.taskId ?? batch.firstId, batch.plan);
}

/** Seconds until fallbacks by timeout are looked for; null when none of the batch can have one. */
export function timeoutAfter(batch: Leased): number | null {
  const item = planOfBatch(batch)?.triggers[batch.attempt];
  return item?.onTimeout?.timeout || null;
}

/** When what was throttled may be tried again. */
export function retryAt(rows: DueRow[], answers: Map<string, SubmitResult>, now: Date): Date {
  const waits = rows.map((r) => (answers.get(r.id) as { retryAfter: number }).retryAfter);
  return new Date(now.getTime() + Math.max(...waits));
}
