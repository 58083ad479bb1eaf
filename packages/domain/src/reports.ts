import type { Status } from './types.ts';

/** One report of a carrier about one sending. */
export interface StatusReport {
  status: Status;
  at: Date;
  /** The failure's code, with `failed` only. */
  code?: string | null;
}

/** The reports of one sending, merged. */
export interface MergedReport {
  status: Status;
  sentAt: Date | null;
  deliveredAt: Date | null;
  seenAt: Date | null;
  /** Set though the status is `delivered` when the delivery came after a failure. */
  failedAt: Date | null;
  /** Of the failure, null unless the status is `failed`. */
  code: string | null;
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
 * Whether a status may follow another: only forwards in the order pending, processing, sent,
 * delivered, seen; into `failed` from all before delivered; out of `failed` only by a late delivered
 * or seen. Nothing follows seen. `canTransition('failed', 'delivered')` is true.
 */
export function canTransition(from: Status, to: Status): boolean {
  if (from === to) return false;
  if (from === 'failed') return to === 'delivered' || to === 'seen';
  if (to === 'failed') return RANK[from] < RANK.delivered;
  if (RANK[from] === 0 && RANK[to] === 0) return true;
  return RANK[to] > RANK[from];
}

/**
 * Reduces the reports of one sending to its status and times. Reports come twice and in any order:
 * every permutation gives the same. Times are the earliest reported; `seen` without `delivered` sets
 * both. Null for no reports.
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
  };
}

/** Pending and paused may follow one another: the two merge to paused, whatever the order. */
function precedes(from: Status, to: Status): boolean {
  return canTransition(from, to) && !(from === 'paused' && to === 'pending');
}

/** Of two failures the earlier names the reason; at the same instant the order of codes decides. */
function isEarlier(a: StatusReport, b: StatusReport): boolean {
  if (a.at.getTime() !== b.at.getTime()) return a.at < b.at;
  if (a.code == null || b.code == null) return a.code != null;
  return a.code < b.code;
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
