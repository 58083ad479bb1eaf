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

/**
 * The first date of the series after `after`. The series begins at `anchor` and keeps its time of day, in UTC; a month without the day
 * of the anchor has its last day instead.
 */
export function nextChargeAt(anchor: Date, frequency: Frequency, after: Date): Date {
  if (frequency !== 'monthly') {
    const step = frequency === 'daily' ? DAY_MS : 7 * DAY_MS;
    const past = Math.max(0, Math.floor((after.getTime() - anchor.getTime()) / step) + 1);
    return new Date(anchor.getTime() + past * step);
  }
  const months =
    (after.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
    after.getUTCMonth() -
    anchor.getUTCMonth();
  const [sooner, later] = [Math.max(months, 0), Math.max(months + 1, 0)].map((n) =>
    addMonths(anchor, n),
  );
  return sooner! > after ? sooner! : later!;
}

function addMonths(anchor: Date, months: number): Date {
  const at = new Date(anchor);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(anchor.getUTCDate(), last));
  return at;
}
