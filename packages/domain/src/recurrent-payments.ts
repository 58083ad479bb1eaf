import { fromLocalTime, localTime } from './local-times.ts';

export const RECURRENT_TYPES = ['threshold', 'frequency'] as const;
export type RecurrentType = (typeof RECURRENT_TYPES)[number];
export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
export const RECURRENT_STATUSES = ['block', 'error', 'init', 'pause', 'ready'] as const;
export type RecurrentStatus = (typeof RECURRENT_STATUSES)[number];

/** After so many failed charges in a row a recurrent payment is in `error`. */
export const MAX_FAILED_CHARGES = 3;
/** A failed charge is repeated after this time. */
export const CHARGE_RETRY_SECONDS = 3600;

export type RecurrentAction = 'confirm' | 'fail' | 'pause' | 'resume' | 'block' | 'unblock';

const TRANSITIONS: Record<RecurrentAction, Partial<Record<RecurrentStatus, RecurrentStatus>>> = {
  /** The first payment, which also saved the card, was paid. */
  confirm: { init: 'ready', error: 'ready' },
  fail: { ready: 'error', pause: 'error' },
  pause: { ready: 'pause' },
  resume: { pause: 'ready' },
  block: { init: 'block', ready: 'block', pause: 'block', error: 'block' },
  unblock: { block: 'pause' },
};

/** What the next status depends on. */
export interface RecurrentState {
  status: RecurrentStatus;
  /** Null until a card is saved. */
  cardNumber: string | null;
  /** Failed charges in a row. */
  failures: number;
}

/** The status after an action; null if it is not possible in this one. Without a card that can be charged there is no pause. */
export function recurrentTransition(
  { status, cardNumber, failures }: RecurrentState,
  action: RecurrentAction,
): RecurrentStatus | null {
  const next = TRANSITIONS[action][status] ?? null;
  if (next !== 'pause') return next;
  if (!cardNumber) return 'init';
  return failures >= MAX_FAILED_CHARGES ? 'error' : next;
}

/** Whether a first payment can be made, again. */
export const canReInit = (status: RecurrentStatus): boolean =>
  status === 'init' || status === 'error';

const DAY_MS = 86_400_000;

/** Dates that repeat. The time zone is that of the account when they began, so that none comes twice when the account moves. */
export interface Series {
  anchor: Date;
  timeZone: string;
}

/**
 * The first date of the series after `after`. Dates have the time of day of the anchor, by the clocks of the time zone; a month without
 * the day of the anchor has its last day instead.
 */
export function nextChargeAt(
  { anchor, timeZone }: Series,
  frequency: Frequency,
  after: Date,
): Date {
  const [begin, end] = [anchor, after].map((at) => localTime(at.getTime(), timeZone));
  const step = frequency === 'daily' ? DAY_MS : 7 * DAY_MS;
  const dateAt = (n: number) => {
    const local = frequency === 'monthly' ? plusMonths(begin!, n) : begin! + n * step;
    return new Date(fromLocalTime(local, timeZone));
  };
  const passed =
    frequency === 'monthly' ? monthsBetween(begin!, end!) : Math.floor((end! - begin!) / step);
  let n = Math.max(0, passed);
  while (dateAt(n) <= after) n++;
  return dateAt(n);
}

function monthsBetween(begin: number, end: number): number {
  const [first, last] = [new Date(begin), new Date(end)];
  const years = last.getUTCFullYear() - first.getUTCFullYear();
  return years * 12 + last.getUTCMonth() - first.getUTCMonth();
}

function plusMonths(begin: number, months: number): number {
  const at = new Date(begin);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return at.setUTCDate(Math.min(day, last));
}
