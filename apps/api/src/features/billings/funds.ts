import type { ReachedCap } from '@heliograph/contract';
import {
  moneyToNumber,
  PackageUnits,
  type Money,
  type OpenPackage,
  type PackageMessage,
} from '@heliograph/domain';
import type { CapPeriod } from './spend-caps.store.ts';
import { Volumes } from './volumes.ts';

/** Who spends: an account, and the API token of the request. */
export interface Spender {
  OwnerId: string;
  tokenId: string | null;
}

export type FundsRefusal = 'insufficient_funds' | 'spend_cap_reached';

/** What accounts may still spend: their balance with the overdraft, their caps, and the units of their packages. */
export class Funds {
  /** Caps that refused something. */
  readonly reached = new Set<CapPeriod>();
  private readonly units: Map<string, PackageUnits>;

  constructor(
    private readonly available: Map<string, Money>,
    private readonly caps: CapPeriod[],
    /** Open ones by owner, in the order of their ends. */
    private readonly packages: ReadonlyMap<string, OpenPackage[]> = new Map(),
    /** By which tariffs with steps price. */
    readonly volumes = new Volumes([]),
  ) {
    this.units = new Map([...packages].map(([OwnerId, own]) => [OwnerId, new PackageUnits(own)]));
  }

  /** Open packages of an account, as they were before anything was taken. */
  packagesOf(OwnerId: string): readonly OpenPackage[] {
    return this.packages.get(OwnerId) ?? [];
  }

  /**
   * Takes a message from a package of its owner that has all units of it, and returns the id of the package; null if none covers it.
   * Units are no money, so caps of the account do not count them. Those of API tokens count the price: a leaked token uses up no package.
   */
  cover(
    spender: Spender,
    message: PackageMessage,
    price: Money,
    at: Date,
  ): { packageId: string } | { refusal: FundsRefusal } | null {
    const units = this.units.get(spender.OwnerId);
    const caps = this.capsOf(spender, at).filter(({ TokenId }) => TokenId !== null);
    const cap = caps.find(({ limit, spent }) => spent + price > limit);
    if (cap && units?.covers(message)) {
      this.reached.add(cap);
      return { refusal: 'spend_cap_reached' };
    }
    const packageId = units?.take(message);
    if (!packageId) return null;
    for (const one of caps) one.spent += price;
    return { packageId };
  }

  /** Whether a package of the account had too few units for a message. */
  isShortOfUnits(OwnerId: string): boolean {
    return this.units.get(OwnerId)?.isShort ?? false;
  }

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

  /** The cap that messages exceed; null when none. `total` is their price, `toPay` what packages leave of it. */
  capOver(
    spender: Spender,
    { total, toPay }: Record<'total' | 'toPay', Money>,
    at: Date,
  ): CapPeriod | null {
    const counted = ({ TokenId }: CapPeriod) => (TokenId === null ? toPay : total);
    const exceeds = (cap: CapPeriod) => counted(cap) > 0n && cap.spent + counted(cap) > cap.limit;
    return this.capsOf(spender, at).find(exceeds) ?? null;
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
