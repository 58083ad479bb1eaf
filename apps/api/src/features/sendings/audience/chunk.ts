import {
  batchSizeFor,
  CLICK_CODE,
  partsOf,
  spread,
  UNSUBSCRIBE_VARIABLE,
  validUntilOf,
} from '@heliograph/domain';
import { uuidv7 } from '../../../core/uuid.ts';
import type { OpenTask } from '../../tasks/tasks.service.ts';
import type { NewBatch, NewSending } from '../insert.store.ts';
import { varsFor, type ChainPlan } from '../plan.ts';
import type { Pricing } from '../pricing/pricing.service.ts';
import type { WaitOf } from '../quiet.service.ts';
import { quoteData, quote, type Quote } from '../pricing/quote.ts';
import { PRIORITIES } from '../priorities.ts';
import type { Routing } from '../routing.ts';
import type { UnsubscribeLink } from '../../suppressions/unsubscribe-links.service.ts';
import type { Recipient } from './audience.store.ts';
import { SKIP_REASONS, skipReason } from './skip-reason.ts';

export interface PricedRow {
  /** Index in the chunk. */
  position: number;
  row: NewSending;
}
export type Outcome = PricedRow | { reason: string };

/** What may go in one call of a channel. */
interface BatchLimits {
  messages: number;
  segments: number;
}

export interface Chunk {
  task: OpenTask;
  plan: ChainPlan;
  now: Date;
}

interface Decision extends Chunk {
  pricing: Pricing;
  link: UnsubscribeLink;
  /** By the position in the task; null if it does not tell who clicked. */
  codeOf: ((position: number) => string) | null;
}

/** A priced row or the reason to skip, for each recipient in order. */
export function decide(
  { task, plan, now, pricing, link, codeOf }: Decision,
  recipients: Recipient[],
): Outcome[] {
  const keepsList = plan.attempts
    .slice(1)
    .some((a) => pricing.book.dependsOnLists(a.type, a.sender));
  const [first] = plan.attempts;
  const seen = new Set<string>();
  return recipients.map((recipient, position): Outcome => {
    const reason = skipReason(recipient, seen);
    if (reason) return { reason };
    const address = recipient.address!;
    seen.add(address);
    const lists = recipient.list ? [recipient.list] : [];
    const id = uuidv7(now);
    const values =
      first!.hasLink || codeOf
        ? {
            ...recipient.values,
            ...(first!.hasLink && { [UNSUBSCRIBE_VARIABLE]: link(id) }),
            ...(codeOf && { [CLICK_CODE]: codeOf(task.position + position) }),
          }
        : recipient.values;
    const priced = quote(first!, address, values, lists, pricing);
    if (priced.refusal) return { reason: SKIP_REASONS[priced.refusal] };
    const vars = varsFor(plan, values, keepsList ? recipient.list : null);
    return { position, row: newRow(id, task, plan, address, priced, vars) };
  });
}

/** The same outcomes; recipients that the task has already are skipped. */
export const withoutKnown = (outcomes: Outcome[], known: ReadonlySet<string>): Outcome[] =>
  outcomes.map((o) => ('row' in o && known.has(o.row.phone) ? { reason: 'duplicate' } : o));

/** The outcomes, of which from the first on `paid` are paid, and why the next one is not. */
export function payInOrder<Refusal>(
  outcomes: Outcome[],
  take: (quote: Quote) => { quote: Quote; refusal: Refusal | null },
): { outcomes: Outcome[]; paid: number; refusal: Refusal | null } {
  const all = [...outcomes];
  for (const [paid, outcome] of outcomes.entries()) {
    if (!('row' in outcome)) continue;
    const { quote: charged, refusal } = take(outcome.row.quote);
    if (refusal) return { outcomes: all, paid, refusal };
    if (charged !== outcome.row.quote)
      all[paid] = { ...outcome, row: { ...outcome.row, quote: charged } };
  }
  return { outcomes: all, paid: outcomes.length, refusal: null };
}

/** Without a stretch as few batches as the channel allows; with one as many as submit the task evenly over it. */
export function batchesOfChunk(
  { task, plan, now }: Chunk,
  rows: PricedRow[],
  {
    routing,
    max,
    waitOf,
    waitsUntil,
  }: {
    routing: Routing;
    max: BatchLimits;
    waitOf: WaitOf | null;
    /** Of those that wait for look-ups. */
    waitsUntil: Date | undefined;
  },
): NewBatch[] {
  const { stretchSeconds } = task;
  const total = Math.max(task.expected, 1);
  const messages = batchSizeFor({ total, stretchSeconds, max: max.messages });
  const batches: NewBatch[] = [];
  for (const part of partsOf(rows, { ...max, messages }, ({ row }) => row.quote.segments)) {
    const position = task.position + part[0]!.position;
    const dueAt = stretchSeconds
      ? spread({ start: task.startedAt!, until: stretchSeconds / 3600, position, total })
      : now;
    for (const [due, dueRows] of byDueTime(part, dueAt, waitOf)) {
      const isLater = waitsUntil !== undefined && waitsUntil.getTime() > due;
      batches.push({
        taskId: task.id,
        OwnerId: task.OwnerId,
        routing,
        type: plan.attempts[0]!.type,
        attempt: 0,
        priority: PRIORITIES.bulk,
        dueAt: isLater ? waitsUntil : new Date(due),
        ...(waitsUntil && { dueAfterLookups: new Date(due) }),
        postponedFrom: due > dueAt.getTime() ? dueAt : undefined,
        validUntil: validUntilOf(task.data.sending.schedule?.validUntil, dueAt),
        rows: dueRows,
      });
    }
  }
  return batches;
}

/** Messages of one part are due together, but for those that wait for the end of quiet hours. */
function byDueTime(
  part: PricedRow[],
  dueAt: Date,
  waitOf: WaitOf | null,
): Map<number, NewSending[]> {
  const at = dueAt.getTime();
  if (!waitOf) return new Map([[at, part.map(({ row }) => row)]]);
  return Map.groupBy(
    part.map(({ row }) => row),
    (row) => waitOf({ address: row.phone, group: row.quote.group }, dueAt)?.getTime() ?? at,
  );
}

function newRow(
  id: string,
  task: OpenTask,
  plan: ChainPlan,
  address: string,
  priced: Quote,
  vars: NewSending['vars'],
): NewSending {
  return {
    id,
    OwnerId: task.OwnerId,
    groupId: task.id,
    chainId: null,
    isLast: plan.attempts.length === 1,
    sender: plan.attempts[0]!.sender,
    phone: address,
    quote: priced,
    vars,
    data: quoteData(priced),
    tokenId: task.tokenId,
  };
}

export function countReasons(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const o of outcomes) if ('reason' in o) counts[o.reason] = (counts[o.reason] ?? 0) + 1;
  return counts;
}
