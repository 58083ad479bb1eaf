import type { BalanceLimit, BalanceLimitInput } from '@heliograph/contract';
import type * as z from 'zod';

export type LimitDraft = z.input<typeof BalanceLimitInput>;

export interface LimitChange {
  /** The limit as it was shown; absent if it is a new one. */
  former?: BalanceLimit;
  /** Null removes it. */
  next: LimitDraft | null;
  /** Its place in the list. */
  index: number;
}

export const draftOf = ({ balance, includeOverdraft, invoice }: BalanceLimit): LimitDraft => ({
  balance,
  includeOverdraft,
  invoice,
});

/** One change of the limits as they are stored now: those that were saved in another tab stay. */
export function changeOf(
  stored: BalanceLimit[],
  { former, next, index }: LimitChange,
): { limits: LimitDraft[]; former: LimitDraft[] } {
  const drafts = stored.map(draftOf);
  const isSame = (draft: LimitDraft) => JSON.stringify(draft) === JSON.stringify(draftOf(former!));
  const at = former ? drafts.findIndex(isSame) : -1;
  const others = at < 0 ? drafts : drafts.toSpliced(at, 1);
  return { limits: next ? others.toSpliced(index, 0, next) : others, former: drafts };
}
