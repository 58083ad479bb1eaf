import type { Moderation } from '@heliograph/contract';
import { decisionsFor as decisions, type Decision, type Moderator } from '../../ui/decisions.ts';

/** The decisions a moderator may take about a sender name: only a manager may revoke an approval. */
export function decisionsFor(
  row: { moderation: Moderation; OwnerId: string },
  by: Moderator | undefined,
): Decision[] {
  return row.moderation === 'approved' && by?.level !== 'manager' ? [] : decisions(row, by);
}
