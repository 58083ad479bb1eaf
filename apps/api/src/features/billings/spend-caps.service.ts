import { Injectable } from '@nestjs/common';
import {
  SPEND_CAP_PERIODS,
  type ResponseOf,
  type SpendCapInput,
  type spendCaps,
} from '@heliograph/contract';
import { moneyToNumber, parseMoney } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { TimeZonesStore } from '../../core/db/time-zones.store.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidTime } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { presentReached, type Funds } from './funds.ts';
import { SpendCapsStore, type AccountCap, type CapPeriod } from './spend-caps.store.ts';

type Caps = ResponseOf<typeof spendCaps.find>;

/** The share of a cap in percent at which its owner is warned. */
const WARNED_PERCENT = 80n;

/** Another transaction spent what was left of a cap after this one had read it. The caller repeats its work behind the lock. */
export class CapExceeded extends Error {
  constructor() {
    super('A spend cap is exceeded');
  }
}

/** Limits of what accounts and tokens spend in a day and a month. */
@Injectable()
export class SpendCapsService {
  constructor(
    private readonly db: Db,
    private readonly store: SpendCapsStore,
    private readonly timeZones: TimeZonesStore,
    private readonly settings: SettingsService,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** With what was spent up to now. */
  async find({ scope }: Actor, OwnerId: string): Promise<Caps> {
    if (!(await this.store.isWithin(scope, OwnerId))) throw notFound();
    const caps = await this.store.at([OwnerId], [this.clock.now()]);
    return { data: caps.map(present) };
  }

  /** By the account holder, and by those who manage the account. */
  set(actor: Actor, input: SpendCapInput): Promise<Caps> {
    const OwnerId = input.OwnerId ?? actor.OwnerId;
    const TokenId = input.TokenId ?? null;
    if (OwnerId === actor.OwnerId && actor.userId !== OwnerId)
      throw new AppError('forbidden', 'Only the account holder can set spend caps');
    return this.db.transaction(async () => {
      if (TokenId && !(await this.store.ownsToken(OwnerId, TokenId))) throw notFound();
      const { timeZone } = input;
      if (!(await this.timeZones.nameOf(timeZone)))
        throw invalid('timeZone', 'time_zone', 'The time zone is unknown.');
      // Nothing is charged between here and the commit.
      if (!(await this.store.mark(OwnerId))) throw notFound();
      const before = await this.limitsOf(OwnerId, TokenId);
      for (const period of SPEND_CAP_PERIODS) {
        const limit = input[period];
        const cap = { OwnerId, TokenId, period, timeZone };
        await this.store.set(cap, limit === null ? null : parseMoney(limit));
      }
      await this.store.mark(OwnerId);
      const after = await this.limitsOf(OwnerId, TokenId);
      const target: [string, string] = TokenId ? ['tokens', TokenId] : ['users', OwnerId];
      await this.audit.record({ OwnerId, target, before, after });
      return this.find(actor, OwnerId);
    });
  }

  /** Counts charges of accounts with caps, whose balances are locked. Throws `CapExceeded`. */
  async charge(owners: string[], entryIds: string[]): Promise<void> {
    const times = timesOf(entryIds);
    await this.store.add(owners, entryIds, times, 1);
    for (const cap of await this.store.at(owners, times)) {
      if (cap.spent > cap.limit && (await this.store.counts(cap, entryIds)))
        throw new CapExceeded();
      await this.notify(cap, false);
    }
  }

  /** Gives back what was charged for refunded entries, in the period of the charge. */
  async refund(owners: string[], entryIds: string[]): Promise<void> {
    await this.store.add(owners, entryIds, [], -1);
  }

  /** Gives back what was charged for calls above their price, by the ids of their charges and in the period of these. */
  async settle(owners: string[], entryIds: string[]): Promise<void> {
    if (entryIds.length) await this.store.addRests(owners, entryIds);
  }

  /** The caps of accounts within the caller's reach, without those of their tokens. */
  ofAccounts(owners: string[]): Promise<AccountCap[]> {
    return this.store.ofAccounts(owners);
  }

  /** Caps in the periods of some times. */
  at(owners: string[], times: Date[]): Promise<CapPeriod[]> {
    return this.store.at(owners, times);
  }

  /** Notifies of the caps that refused something, once for each period. At the end of the transaction of the refusal. */
  async notifyReached({ reached }: Funds): Promise<void> {
    const fresh = [...reached].filter(({ notified }) => notified < 100);
    for (const cap of fresh.sort((a, b) => (a.OwnerId < b.OwnerId ? -1 : 1))) {
      await this.store.mark(cap.OwnerId);
      await this.store.open([cap.OwnerId], [cap.startsAt]);
      const now = await this.store.at([cap.OwnerId], [cap.startsAt]);
      const same = now.find(({ id, startsAt }) => id === cap.id && +startsAt === +cap.startsAt);
      if (same) await this.notify(same, true);
    }
  }

  private async notify(cap: CapPeriod, isRefused: boolean): Promise<void> {
    const { limit, spent, notified, OwnerId } = cap;
    const isReached = isRefused || (limit > 0n && spent >= limit);
    const isNear = limit > 0n && spent * 100n >= limit * WARNED_PERCENT;
    const percent = isReached ? 100 : isNear ? Number(WARNED_PERCENT) : 0;
    if (percent <= notified) return;
    await this.store.setNotified(cap, percent);
    const { currency } = await this.settings.ofAccount(OwnerId);
    const type = isReached ? 'SpendCapReached' : 'SpendCapWarning';
    await this.notifications.notify(OwnerId, type, { ...presentReached(cap), currency });
  }

  private async limitsOf(OwnerId: string, TokenId: string | null): Promise<object> {
    const caps = await this.store.at([OwnerId], [this.clock.now()]);
    const own = caps.filter((cap) => cap.TokenId === TokenId);
    return Object.fromEntries(own.map(({ period, limit }) => [period, moneyToNumber(limit)]));
  }
}

/** The earliest and the latest time of entries. More than two periods are never touched: the ids of one call are seconds apart. */
function timesOf(entryIds: string[]): Date[] {
  const sorted = entryIds.toSorted();
  return [uuidTime(sorted[0]!), uuidTime(sorted.at(-1)!)];
}

const present = ({ id, OwnerId, startsAt, ...cap }: CapPeriod) => ({
  id,
  OwnerId,
  startsAt: startsAt.toISOString(),
  ...presentReached({ id, OwnerId, startsAt, ...cap }),
});
