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

/** What a moderator may decide about a customer's row. Nobody decides about its own. */
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

/** A rejection without a reason helps nobody: the next request would be the same. */
export function lacksReason(decision: Decision, comment: string): boolean {
  return decision === 'rejected' && !comment.trim();
}
