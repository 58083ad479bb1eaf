import type { ReachedCap } from '@heliograph/contract';
import { moneyToNumber, type Money } from '@heliograph/domain';
import type { CapPeriod } from './spend-caps.store.ts';

/** Who spends: an account, and the API token of the request. */
export interface Spender {
  OwnerId: string;
  tokenId: string | null;
}

export type FundsRefusal = 'insufficient_funds' | 'spend_cap_reached';

/** What accounts may still spend: their balance with the overdraft, and their caps. */
export class Funds {
  /** Caps that refused something. */
  readonly reached = new Set<CapPeriod>();

  constructor(
    private readonly available: Map<string, Money>,
    private readonly caps: CapPeriod[],
  ) {}

  /** Spends an amount; or says why it cannot be spent, and then nothing changes. */
  take(spender: Spender, amount: Money, at: Date): FundsRefusal | null {
    const funds = this.available.get(spender.OwnerId) ?? 0n;
    if (amount > funds) return 'insufficient_funds';
    const caps = this.capsOf(spender, at);
    const cap = amount > 0n && caps.find(({ limit, spent }) => spent + amount > limit);
    if (cap) {
      this.reached.add(cap);
      return 'spend_cap_reached';
    }
    this.available.set(spender.OwnerId, funds - amount);
    for (const one of caps) one.spent += amount;
    return null;
  }

  /** The cap that an amount exceeds; null when none. */
  capOver(spender: Spender, amount: Money, at: Date): CapPeriod | null {
    const caps = amount > 0n ? this.capsOf(spender, at) : [];
    return caps.find(({ limit, spent }) => spent + amount > limit) ?? null;
  }

  /** The last cap that refused something of a spender. */
  reachedBy(spender: Spender): CapPeriod | null {
    const own = [...this.reached].filter((cap) => isOf(cap, spender));
    return own.at(-1) ?? null;
  }

  private capsOf(spender: Spender, at: Date): CapPeriod[] {
    if (!this.caps.length) return this.caps;
    return this.caps.filter((cap) => isOf(cap, spender) && cap.startsAt <= at && at < cap.resetsAt);
  }
}

const isOf = (cap: CapPeriod, { OwnerId, tokenId }: Spender): boolean =>
  cap.OwnerId === OwnerId && (cap.TokenId === null || cap.TokenId === tokenId);

export const presentReached = (cap: CapPeriod): ReachedCap => ({
  TokenId: cap.TokenId,
  period: cap.period,
  limit: moneyToNumber(cap.limit),
  spent: moneyToNumber(cap.spent),
  timeZone: cap.timeZone,
  resetsAt: cap.resetsAt.toISOString(),
});
