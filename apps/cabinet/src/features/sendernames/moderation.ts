import type { Moderation } from '@heliograph/contract';
import { decisionsFor as decisions, type Decision, type Moderator } from '../../ui/decisions.ts';

/** What a moderator may decide about a sender name: only a manager takes back what was approved. */
export function decisionsFor(
  row: { moderation: Moderation; OwnerId: string },
  by: Moderator | undefined,
): Decision[] {
  return row.moderation === 'approved' && by?.level !== 'manager' ? [] : decisions(row, by);
}
