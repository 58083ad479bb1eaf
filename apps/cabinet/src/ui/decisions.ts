import type { Level, Moderation } from '@heliograph/contract';
import { moderationTransition } from '@heliograph/domain';

export type Decision = Exclude<Moderation, 'pending'>;

export interface Verdict {
  moderation: Decision;
  comment?: string;
  privateComment?: string;
}

export interface Moderator {
  level: Level;
  OwnerId: string;
}

/** The decisions that a moderator may take about a customer's row. Users cannot decide about their own rows. */
export function decisionsFor(
  row: { moderation: Moderation; OwnerId: string },
  by: Moderator | undefined,
): Decision[] {
  if (!by || by.level === 'me' || row.OwnerId === by.OwnerId) return [];
  const decisions: Decision[] = [];
  if (moderationTransition(row.moderation, 'approve')) decisions.push('approved');
  if (moderationTransition(row.moderation, 'reject')) decisions.push('rejected');
  return decisions;
}

/** A rejection needs a reason: without it the customer cannot correct the request. */
export function lacksReason(decision: Decision, comment: string): boolean {
  return decision === 'rejected' && !comment.trim();
}
