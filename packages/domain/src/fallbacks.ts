import type { Status } from './types.ts';

export const MAX_FALLBACKS = 3;
/** Default timeout of a new fallback. */
export const DEFAULT_TIMEOUT_SECONDS = 50;
/** How long after its submission an attempt accepts replies. */
export const REPLY_WINDOW_SECONDS = 24 * 60 * 60;

/**
 * Statuses that can start a fallback. `pending` and `paused` are excluded: an attempt never changes to `pending`, and `paused`
 * is the state of its task. A fallback on one of them would never start.
 */
export const FALLBACK_STATUSES = ['processing', 'sent', 'delivered', 'seen', 'failed'] as const;
export type FallbackStatus = (typeof FALLBACK_STATUSES)[number];

/** Triggers of one fallback. Item n (from 0) of a plan observes attempt n and starts attempt n + 1. Any trigger is sufficient. */
export interface FallbackItem {
  onStatus: readonly Status[];
  /** Seconds from the submission. The statuses in `except` are checked at the end of the timeout. */
  onTimeout: { timeout: number; except: readonly Status[] } | null;
  /** The complete reply, compared trimmed and case-insensitively. '' disables the trigger. */
  onIncomingPayload: { text: string } | null;
}

/** The fallbacks of a chain, at most three. Attempt 0 is the sending itself. */
export type FallbackPlan = readonly FallbackItem[];

/** State of one attempt of a chain, with the event already applied. */
export interface AttemptProgress {
  /** From 0. */
  attempt: number;
  status: Status;
  /** Null until the channel has accepted it. Timers and replies apply only afterwards. */
  submittedAt: Date | null;
  deliveredAt?: Date | null;
  successorStarted: boolean;
  /** The task was stopped or the attempt was superseded: no fallback starts. */
  stopped: boolean;
  paused: boolean;
}

/** An event of an attempt that can start its fallback. */
export type TriggerEvent =
  | { kind: 'status'; status: Status }
  | { kind: 'timer' }
  /** A reply of the same type, sender and phone, as matched by the caller. */
  | { kind: 'incoming'; text: string; at: Date };

export type Trigger = 'status' | 'timeout' | 'incoming';

export type NextStep =
  | { do: 'start'; attempt: number; trigger: Trigger }
  /** Not decided yet: the task is paused (null), or a timer is running. */
  | { do: 'wait'; until: Date | null }
  /** The event starts no fallback. */
  | { do: 'done' };

const DONE: NextStep = { do: 'done' };

/**
 * The next step of a chain after an event of one of its attempts. Pure: the caller applies the event to the row first, calls this
 * function with the state of the row, and starts the returned attempt. Source: the specification, section 5.
 *
 * - Triggers are alternatives. A superseded or stopped attempt starts no fallback.
 * - Statuses that the message has passed count: `seen` also fires `onStatus: ['delivered']`.
 * - The timer starts at the submission. A failed attempt waits for the end of its timer.
 * - A reply counts within 24 h of the submission, not on a failed attempt, and after `delivered` only if it is the only trigger.
 * - While the task is paused, a trigger that fired waits: call again with the same event on resume.
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
  // A failed attempt is not final while its timer can still start a fallback.
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
  // A report after the end of the timeout must have the same result as the timer.
  const end = timerEnd(item, progress);
  if (end !== null && end <= now && (event.kind === 'timer' || progress.status === 'failed')) {
    return isExcepted(item, progress.status) ? null : 'timeout';
  }
  return null;
}

const PATH: readonly Status[] = ['pending', 'processing', 'sent', 'delivered', 'seen'];

function statusFires(item: FallbackItem, current: Status, reported: Status): boolean {
  // A late `delivered` report replaces the failure.
  if (reported === 'failed') return current === 'failed' && item.onStatus.includes('failed');
  const reached = PATH.indexOf(reported);
  return item.onStatus.some((status) => {
    const place = PATH.indexOf(status);
    // Every message passes `pending` and `processing`: only their own event fires them.
    return status === reported ? place >= 0 : place >= PATH.indexOf('sent') && place <= reached;
  });
}

function replyFires(
  item: FallbackItem,
  progress: AttemptProgress,
  event: Extract<TriggerEvent, { kind: 'incoming' }>,
): boolean {
  const { status, submittedAt, deliveredAt } = progress;
  const expected = expectedReply(item);
  if (expected === null || plain(event.text) !== expected) return false;
  if (submittedAt === null || status === 'failed') return false;
  const after = event.at.getTime() - submittedAt.getTime();
  if (after < 0 || after > REPLY_WINDOW_SECONDS * 1000) return false;
  const delivered = status === 'delivered' || status === 'seen';
  const afterDelivered = delivered && (deliveredAt == null || event.at >= deliveredAt);
  return !afterDelivered || (item.onStatus.length === 0 && !hasTimer(item));
}

function expectedReply(item: FallbackItem): string | null {
  const text = plain(item.onIncomingPayload?.text ?? '');
  return text === '' ? null : text;
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

function hasTimer(item: FallbackItem): boolean {
  return item.onTimeout !== null && item.onTimeout.timeout > 0 && item.onTimeout.except.length > 0;
}

/** The end of an attempt's timer; null if it has none or is not submitted. */
function timerEnd(item: FallbackItem, progress: AttemptProgress): Date | null {
  if (!hasTimer(item) || progress.submittedAt === null) return null;
  return new Date(progress.submittedAt.getTime() + item.onTimeout!.timeout * 1000);
}

/** Whether the timeout of an item ignores attempts with a status. `delivered` includes `seen`. */
function isExcepted(item: FallbackItem, status: Status): boolean {
  const except = item.onTimeout?.except ?? [];
  return except.includes(status) || (status === 'seen' && except.includes('delivered'));
}

/** Whether the timer of an item starts nothing after an attempt has had a status: it ignores it, or the status has started the fallback. */
export function endsTimer(item: FallbackItem, status: Status): boolean {
  return isExcepted(item, status) || (status === 'failed' && item.onStatus.includes('failed'));
}

/**
 * The types of a chain that are tried when each before them fails without a submission, which no timer and no reply follows:
 * `['viber', 'sms']` of a chain of these whose second item starts on `failed`, `['viber']` if it starts by its timer.
 */
export function typesByFailure<T>(types: readonly T[], plan: FallbackPlan): T[] {
  const end = plan.findIndex((item) => !item.onStatus.includes('failed'));
  return types.slice(0, end < 0 ? undefined : end + 1);
}

/**
 * Whether an item has an active trigger: a status, a timeout above 0 with exceptions, or a reply text. Source: the
 * specification, section 5 (run conditions).
 */
export function isTriggerActive(item: FallbackItem): boolean {
  return item.onStatus.length > 0 || hasTimer(item) || expectedReply(item) !== null;
}
