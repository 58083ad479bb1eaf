import { statusOf, type Status } from '@heliograph/domain';
import { planOf, type ChainPlan, type StoredSending } from '../plan.ts';

/** An attempt with everything that decides whether its fallback starts. */
export interface AttemptRow {
  id: string;
  chain: string;
  OwnerId: string;
  groupId: string | null;
  taskId: string | null;
  attempt: number;
  channel: string;
  /** The API token of the request; null for a session. */
  tokenId: string | null;
  phone: string;
  /** Address of the chain's first attempt. */
  firstAddress: string;
  /** Values of the variables that the fallbacks need, as of the chain's start. */
  vars: Record<string, string | null> | null;
  plan: StoredSending;
  status: number;
  error: string | null;
  submittedAt: Date | null;
  deliveredAt: Date | null;
  /** Its task was stopped, or an earlier attempt was delivered after all: nothing follows. */
  isStopped: boolean;
  hasSuccessor: boolean;
  /** Its fallback is about to start: a row of `fallback_triggers` exists. */
  isTriggered: boolean;
}

export function planOfAttempt(row: AttemptRow): ChainPlan {
  return planOf(row.taskId ?? row.chain, row.plan);
}

/** An attempt as the domain's fallback rules read it. */
export function progressOf(row: AttemptRow) {
  return {
    attempt: row.attempt,
    status: statusOf(row.status) as Status,
    submittedAt: row.submittedAt,
    deliveredAt: row.deliveredAt,
    successorStarted: row.hasSuccessor || row.isTriggered,
    stopped: row.isStopped,
    paused: false,
  };
}
