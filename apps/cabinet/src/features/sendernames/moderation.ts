import type { Level, Moderation, SendernameModeration } from '@heliograph/contract';
import { moderationTransition } from '@heliograph/domain';
import type * as z from 'zod';

export type Decision = z.infer<typeof SendernameModeration>['moderation'];

interface Moderator {
  level: Level;
  OwnerId: string;
}

/**
 * What a moderator may decide about a sender name. Nobody decides about its own, and only a manager takes back what was
 * approved.
 */
export function decisionsFor(
  row: { moderation: Moderation; OwnerId: string },
  by: Moderator | undefined,
): Decision[] {
  if (!by || by.level === 'me' || row.OwnerId === by.OwnerId) return [];
  if (row.moderation === 'approved' && by.level !== 'manager') return [];
  const decisions: Decision[] = [];
  if (moderationTransition(row.moderation, 'approve')) decisions.push('approved');
  if (moderationTransition(row.moderation, 'reject')) decisions.push('rejected');
  return decisions;
}

/** A rejection without a reason helps nobody: the next request would be the same. */
export function lacksReason(decision: Decision, comment: string): boolean {
  return decision === 'rejected' && !comment.trim();
}
