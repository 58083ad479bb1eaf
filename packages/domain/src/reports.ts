import type { Status } from './types.ts';

/** One delivery report of a carrier about one message. */
export interface StatusReport {
  status: Status;
  at: Date;
  /** Error code, with `failed` only. */
  code?: string | null;
  /** The carrier's own words of a failure. */
  carrierCode?: string | null;
  carrierText?: string | null;
}

/** Status and times of one message, merged from its reports. */
export interface MergedReport {
  status: Status;
  sentAt: Date | null;
  deliveredAt: Date | null;
  seenAt: Date | null;
  /** Also set with the status `delivered` if the delivery was reported after a failure. */
  failedAt: Date | null;
  /** Error code; null unless the status is `failed`. */
  code: string | null;
  /** With the failure that counts, if the carrier gave any. */
  carrierCode?: string | null;
  carrierText?: string | null;
}

const RANK: Record<Exclude<Status, 'failed'>, number> = {
  pending: 0,
  paused: 0,
  processing: 1,
  sent: 2,
  delivered: 3,
  seen: 4,
};

/**
 * Whether a status can change to another: forwards in the order pending, processing, sent, delivered, seen; to `failed` from
 * any status before delivered; from `failed` only to delivered or seen (a late report). `seen` is final.
 * `canTransition('failed', 'delivered')` is true.
 */
export function canTransition(from: Status, to: Status): boolean {
  if (from === to) return false;
  if (from === 'failed') return to === 'delivered' || to === 'seen';
  if (to === 'failed') return RANK[from] < RANK.delivered;
  if (RANK[from] === 0 && RANK[to] === 0) return true;
  return RANK[to] > RANK[from];
}

/**
 * Merges the reports of one message into its status and times. Reports can be repeated and out of order: every permutation has
 * the same result. Times are the earliest reported; `seen` without `delivered` sets both. Null without reports.
 */
export function mergeReports(reports: readonly StatusReport[]): MergedReport | null {
  let status: Status | null = null;
  let failure: StatusReport | null = null;
  const first: Partial<Record<Status, Date>> = {};
  for (const report of reports) {
    if (status === null || precedes(status, report.status)) status = report.status;
    if (report.status === 'failed' && (failure === null || isEarlier(report, failure))) {
      failure = report;
    }
    const known = first[report.status];
    if (known === undefined || report.at < known) first[report.status] = report.at;
  }
  if (status === null) return null;
  const seenAt = first.seen ?? null;
  return {
    status,
    sentAt: first.sent ?? null,
    deliveredAt: earliest(first.delivered ?? null, seenAt),
    seenAt,
    failedAt: failure?.at ?? null,
    code: status === 'failed' ? (failure?.code ?? null) : null,
    ...(status === 'failed' && wordsOf(failure)),
  };
}

/** The carrier's own words of a failure; nothing if there are none. */
export function wordsOf(
  failure: Pick<StatusReport, 'carrierCode' | 'carrierText'> | null,
): Pick<StatusReport, 'carrierCode' | 'carrierText'> {
  const { carrierCode = null, carrierText = null } = failure ?? {};
  return carrierCode || carrierText ? { carrierCode, carrierText } : {};
}

/** Pending and paused can follow each other; they merge to paused in either order. */
function precedes(from: Status, to: Status): boolean {
  return canTransition(from, to) && !(from === 'paused' && to === 'pending');
}

/** The earlier of two failures determines the code; at the same time, the alphabetical order of codes, then of what the carrier says. */
function isEarlier(a: StatusReport, b: StatusReport): boolean {
  if (a.at.getTime() !== b.at.getTime()) return a.at < b.at;
  if ((a.code ?? null) === (b.code ?? null)) return sortKey(a) < sortKey(b);
  if (a.code == null || b.code == null) return a.code != null;
  return a.code < b.code;
}

/** One without words comes last. */
function sortKey(failure: StatusReport): string {
  const { carrierCode, carrierText } = wordsOf(failure);
  return `${carrierCode ?? '\uffff'} ${carrierText ?? '\uffff'}`;
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
