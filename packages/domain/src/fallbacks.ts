import type { Status } from './types.ts';

export const MAX_FALLBACKS = 3;
/** The timeout a new fallback starts with. */
export const DEFAULT_TIMEOUT_SECONDS = 50;
/** How long after its handover a reply still belongs to an attempt. */
export const REPLY_WINDOW_SECONDS = 24 * 60 * 60;

/**
 * Statuses that can start a fallback. An attempt is pending from the start, before anything could be awaited of it, and
 * `paused` is how its task's pause shows: a fallback that waited for one of these would never start.
 */
export const FALLBACK_STATUSES = ['processing', 'sent', 'delivered', 'seen', 'failed'] as const;
export type FallbackStatus = (typeof FALLBACK_STATUSES)[number];

/** When item n (from 0) of a plan starts attempt n + 1: it watches attempt n. Any trigger fires. */
export interface FallbackItem {
  onStatus: readonly Status[];
  /** Seconds from the handover; `except` is tested when they are over. */
  onTimeout: { timeout: number; except: readonly Status[] } | null;
  /** The reply that fires, compared as a whole, trimmed and case-insensitively; '' is off. */
  onIncomingPayload: { text: string } | null;
}

/** The fallbacks of a chain, at most three. Attempt 0 is the sending itself. */
export type FallbackPlan = readonly FallbackItem[];

/** Where one attempt of a chain stands, the event already applied. */
export interface AttemptProgress {
  /** From 0. */
  attempt: number;
  status: Status;
  /** Null until the channel has taken it: neither timer nor reply count before. */
  submittedAt: Date | null;
  deliveredAt?: Date | null;
  successorStarted: boolean;
  /** The task was stopped, or the attempt was superseded: nothing follows. */
  stopped: boolean;
  paused: boolean;
}

/** A thing that happened to an attempt and may start its fallback. */
export type TriggerEvent =
  | { kind: 'status'; status: Status }
  | { kind: 'timer' }
  /** A reply of the same type, sender and phone, as matched by the caller. */
  | { kind: 'incoming'; text: string; at: Date };

export type Trigger = 'status' | 'timeout' | 'incoming';

export type NextStep =
  | { do: 'start'; attempt: number; trigger: Trigger }
  /** Not decided yet: held while the task is paused (null), or until a timer ends. */
  | { do: 'wait'; until: Date | null }
  /** This event starts nothing. */
  | { do: 'done' };

const DONE: NextStep = { do: 'done' };

/**
 * What follows for a chain when an event reaches one of its attempts. Pure: the caller applies the
 * event to the row first, then asks with the row's progress, and starts the attempt named.
 *
 * - Triggers are alternatives. A superseded or stopped attempt triggers nothing.
 * - A status the sending passed on its way counts: `seen` fires `onStatus: ['delivered']` too.
 * - The timer runs from the handover. An attempt that failed waits for it.
 * - A reply counts within 24 h of the handover and not on a failed attempt; after `delivered` only
 *   where it is the item's only trigger.
 * - While the task is paused a trigger that fired waits; ask again with the same event on resume.
 *
 * `nextStep([{ onStatus: ['failed'], onTimeout: null, onIncomingPayload: null }], failedProgress,
 * { kind: 'status', status: 'failed' }, now)` is `{ do: 'start', attempt: 1, trigger: 'status' }`.
 */
export function nextStep(
  plan: FallbackPlan,
  progress: AttemptProgress,
  event: TriggerEvent,
  now: Date,
): NextStep {
  const item = progress.attempt < MAX_FALLBACKS ? plan[progress.attempt] : undefined;
  if (item === undefined || progress.successorStarted || progress.stopped) return DONE;
  const trigger = firedBy(item, progress, event, now);
  if (trigger !== null) {
    if (progress.paused) return { do: 'wait', until: null };
    return { do: 'start', attempt: progress.attempt + 1, trigger };
  }
  const end = timerEnd(item, progress);
  if (end === null || end <= now || isExcepted(item, progress.status)) return DONE;
  // A live attempt is not over anyway; a failed one is not over while its timer may start another.
  return event.kind === 'timer' || progress.status === 'failed' ? { do: 'wait', until: end } : DONE;
}

function firedBy(
  item: FallbackItem,
  progress: AttemptProgress,
  event: TriggerEvent,
  now: Date,
): Trigger | null {
  if (event.kind === 'status' && statusFires(item, progress.status, event.status)) return 'status';
  if (event.kind === 'incoming' && replyFires(item, progress, event)) return 'incoming';
  // A report that arrives after the time is over must not overtake the timer: both find the same.
  const end = timerEnd(item, progress);
  if (end !== null && end <= now && (event.kind === 'timer' || progress.status === 'failed')) {
    return isExcepted(item, progress.status) ? null : 'timeout';
  }
  return null;
}

const PATH: readonly Status[] = ['pending', 'processing', 'sent', 'delivered', 'seen'];

function statusFires(item: FallbackItem, current: Status, reported: Status): boolean {
  // A late delivered has overtaken the failure: it no longer stands.
  if (reported === 'failed') return current === 'failed' && item.onStatus.includes('failed');
  const reached = PATH.indexOf(reported);
  return item.onStatus.some((status) => {
    const place = PATH.indexOf(status);
    // Every sending is pending or processing at first: only their own event counts for these.
    return status === reported ? place >= 0 : place >= PATH.indexOf('sent') && place <= reached;
  });
}

function replyFires(
  item: FallbackItem,
  progress: AttemptProgress,
  event: Extract<TriggerEvent, { kind: 'incoming' }>,
): boolean {
  const { status, submittedAt, deliveredAt } = progress;
  const expected = wanted(item);
  if (expected === null || plain(event.text) !== expected) return false;
  if (submittedAt === null || status === 'failed') return false;
  const after = event.at.getTime() - submittedAt.getTime();
  if (after < 0 || after > REPLY_WINDOW_SECONDS * 1000) return false;
  const delivered = status === 'delivered' || status === 'seen';
  const afterDelivered = delivered && (deliveredAt == null || event.at >= deliveredAt);
  return !afterDelivered || (item.onStatus.length === 0 && !hasTimer(item));
}

function wanted(item: FallbackItem): string | null {
  const text = plain(item.onIncomingPayload?.text ?? '');
  return text === '' ? null : text;
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

function hasTimer(item: FallbackItem): boolean {
  return item.onTimeout !== null && item.onTimeout.timeout > 0 && item.onTimeout.except.length > 0;
}

/** When the running timer of an attempt ends; null when it has none, or none any more. */
function timerEnd(item: FallbackItem, progress: AttemptProgress): Date | null {
  if (!hasTimer(item) || progress.submittedAt === null) return null;
  return new Date(progress.submittedAt.getTime() + item.onTimeout!.timeout * 1000);
}

/** Whether an item's timer spares an attempt of a status. What was seen was delivered: to except `delivered` is to except both. */
export function isExcepted(item: FallbackItem, status: Status): boolean {
  const except = item.onTimeout?.except ?? [];
  return except.includes(status) || (status === 'seen' && except.includes('delivered'));
}

/**
 * Whether an item has a trigger at all: a status, a timeout above 0 with exceptions, or a reply text
 * (the run conditions of the specification, section 5).
 */
export function isTriggerActive(item: FallbackItem): boolean {
  return item.onStatus.length > 0 || hasTimer(item) || wanted(item) !== null;
}
