import { Injectable } from '@nestjs/common';
import { formatMoney, parseMoney, priceOfCall, usedShare, type Money } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BalancesStore } from './balances.store.ts';
import { CallChargesStore, type NewCall } from './call-charges.store.ts';
import { EntriesStore, type Refunded } from './entries.store.ts';
import { Funds } from './funds.ts';
import {
  PackageUnitsStore,
  unitsByPackage,
  type LeftOfPackage,
  type UnitsOfPackage,
} from './package-units.store.ts';
import { CapExceeded, SpendCapsService } from './spend-caps.service.ts';
import { TariffVolumesStore, volumesOf } from './tariff-volumes.store.ts';
import { isStale, Volumes, type VolumeUse } from './volumes.ts';

export type { NewCall } from './call-charges.store.ts';
export { chargesSql } from './charges.store.ts';
export { Volumes, type SteppedTariff, type VolumeUse } from './volumes.ts';
export { presentReached, type Funds, type FundsRefusal, type Spender } from './funds.ts';

/** A message with its price: an amount, or the package that covers it and the units that it takes. */
export interface Charged {
  id: string;
  OwnerId: string;
  /** Zero of a message that a package covers. */
  amount: string;
  covered?: UnitsOfPackage;
  /** Where a tariff with volume steps priced it. */
  volume?: VolumeUse;
  /** Of a call that is charged by its length: the amount is a reserve. */
  byLength?: NewCall;
}

/** A call whose length decided what it costs. */
export interface SettledCall {
  id: string;
  OwnerId: string;
  amount: Money;
  /** What is given back of its reserve. */
  rest: Money;
}

/** Another transaction changed a volume after this one had read it, and messages have another step now. */
class StepChanged extends Error {
  constructor() {
    super('The volume has another step');
  }
}

/** What messages cost: what accounts may spend, the charge and its refund. */
@Injectable()
export class ChargesService {
  constructor(
    private readonly db: Db,
    private readonly balances: BalancesStore,
    private readonly entries: EntriesStore,
    private readonly caps: SpendCapsService,
    private readonly packages: PackageUnitsStore,
    private readonly volumes: TariffVolumesStore,
    private readonly calls: CallChargesStore,
    private readonly events: Events,
    private readonly metrics: Metrics,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  balanceOf(OwnerId: string): Promise<{ balance: Money; overdraft: Money }> {
    return this.balances.balanceOf(OwnerId);
  }

  /**
   * What owners may spend at some times. Another transaction may spend it before this one charges; the charge then fails with
   * `isUncovered`, and the caller repeats its work with `isLocked`, behind the locks of the balances.
   */
  async funds(owners: string[], times: () => Date[], isLocked: boolean): Promise<Funds> {
    const { available, capped, withPackages, withVolumes } = await this.balances.available(
      owners,
      isLocked,
    );
    return new Funds(
      available,
      capped.length ? await this.caps.at(capped, times()) : [],
      withPackages.length ? await this.packages.open(withPackages, this.clock.now()) : undefined,
      new Volumes(withVolumes.length ? await this.volumes.at(withVolumes, times()) : []),
    );
  }

  /** What an account was billed for in the month by tariffs with volume steps. */
  async volumesOf(OwnerId: string, at: Date): Promise<Volumes> {
    return new Volumes(await this.volumes.at([OwnerId], [at]));
  }

  /** Notifies of the caps that refused something. At the end of the transaction of the refusal. */
  async notifyReached(funds: Funds): Promise<void> {
    if (funds.reached.size) await this.caps.notifyReached(funds);
  }

  /**
   * Subtracts charges, whose entries `chargesSql` wrote, from the balances: one statement, and a lock before it when there are several
   * owners. Balances are the last locks of a transaction, taken in the order of owners; units of packages and volumes change behind them. Throws
   * `isUncovered`.
   */
  async charge(created: Charged[]): Promise<void> {
    const totals = new Map<string, { amount: Money; entries: number }>();
    for (const { OwnerId, amount, covered } of created) {
      const charged = parseMoney(amount);
      if (charged <= 0n && !covered) continue;
      const total = totals.get(OwnerId) ?? { amount: 0n, entries: 0 };
      totals.set(OwnerId, { amount: total.amount + charged, entries: total.entries + 1 });
    }
    if (!totals.size) return;
    const calls = created.flatMap(({ id, amount, byLength }) =>
      byLength && parseMoney(amount) > 0n ? [{ id, ...byLength }] : [],
    );
    if (calls.length) await this.calls.add(calls);
    const charges = [...totals]
      .map(([OwnerId, total]) => ({ OwnerId, ...total }))
      .sort((a, b) => (a.OwnerId < b.OwnerId ? -1 : 1));
    if (charges.length > 1) await this.balances.available([...totals.keys()], true);
    const capped = await this.balances.subtract(charges);
    const taken = unitsByPackage(created.flatMap(({ covered }) => covered ?? []));
    if (taken.length) await this.notifyUsed(await this.packages.take(taken));
    await this.count(created.flatMap(({ volume }) => volume ?? []));
    if (capped.length) {
      const counted = created.filter(({ OwnerId }) => capped.includes(OwnerId));
      await this.caps.charge(
        capped,
        counted.map(({ id }) => id),
      );
    }
    for (const { OwnerId, entries } of charges) {
      this.events.counted('billings', 'created', OwnerId, null, entries);
      this.metrics.entries('charge', entries);
    }
  }

  /** Counts what tariffs with volume steps priced. Throws `StepChanged`. */
  private async count(uses: VolumeUse[]): Promise<void> {
    if (!uses.length) return;
    const added = volumesOf(uses);
    if (isStale(uses, await this.volumes.add(added), added)) throw new StepChanged();
  }

  /** Once for each share: units that come back and are taken again are no news. */
  private async notifyUsed(packages: LeftOfPackage[]): Promise<void> {
    for (const { notified, OwnerId, endsAt, ...one } of packages) {
      const percent = usedShare(one);
      if (percent <= notified) continue;
      await this.packages.setNotified(one.id, percent);
      await this.notifications.notify(
        OwnerId,
        percent === 100 ? 'PackageUsedUp' : 'PackageWarning',
        { ...one, endsAt: endsAt.toISOString() },
      );
    }
  }

  /** Seconds of the texts or recordings of calls; see `CallChargesStore`. */
  estimatedSeconds(ids: string[]): Promise<Map<string, number>> {
    return this.calls.estimatedSeconds(ids);
  }

  /**
   * Writes what calls cost by their length in seconds, each once and at most its reserve: what is known of a call stays, and a charge that was
   * given back has no length. The caller gives the rests to `refund`, as balances are the last locks of its transaction.
   */
  async settle(lengths: ReadonlyMap<string, number>): Promise<SettledCall[]> {
    const open = await this.calls.lockOpen([...lengths.keys()]);
    if (!open.length) return [];
    const now = this.clock.now();
    const settled = open.map(({ id, OwnerId, price, reserved, amount: reserve, ...intervals }) => {
      const seconds = lengths.get(id)!;
      const call = { price: price.map(parseMoney), reserved, intervals };
      const { units, amount } = priceOfCall(call, seconds);
      return { id, OwnerId, seconds, units, amount, rest: -parseMoney(reserve) - amount };
    });
    await this.calls.settle(settled, now);
    const given = settled.filter(({ rest }) => rest > 0n);
    if (given.length)
      await this.entries.enterAll(
        given.map(({ id, OwnerId, rest }) => ({
          id: uuidv7(now),
          OwnerId,
          amount: rest,
          origin: { type: 'call', id },
        })),
      );
    return settled;
  }

  /**
   * Refunds the charges of sendings, each once: entries that are not complete are skipped, so a repeated call changes nothing.
   * Units of a package go back to it, also after its end, and a volume is less in the month of the charge. `settled` are calls of the same transaction whose rests are
   * given back. Returns the amount by owner. Balances are the last locks of a transaction, taken in the order of owners: `beforeBalances` takes the locks
   * that come between them and the entries.
   */
  refund(
    sendingIds: string[],
    settled: SettledCall[] = [],
    beforeBalances: () => Promise<void> = async () => undefined,
  ): Promise<{ OwnerId: string; amount: Money }[]> {
    return this.db.transaction(async () => {
      const refunded = sendingIds.length
        ? await this.entries.refund(sendingIds, this.clock.now())
        : [];
      await beforeBalances();
      const owners = withRests(refunded, settled);
      for (const { OwnerId, amount, entries, units, volumes, calls } of owners) {
        const { hasCaps } = await this.balances.move(OwnerId, amount);
        if (units.length) await this.packages.giveBack(unitsByPackage(units));
        if (volumes.length) await this.volumes.giveBack(OwnerId, volumes);
        if (hasCaps) {
          await this.caps.refund([OwnerId], entries);
          await this.caps.settle([OwnerId], calls);
        }
        if (entries.length) {
          this.events.counted('billings', 'updated', OwnerId, null, entries.length);
          this.metrics.entries('refund', entries.length);
        }
        if (calls.length) {
          this.events.counted('billings', 'created', OwnerId, null, calls.length);
          this.metrics.entries('refund', calls.length);
        }
      }
      return owners.map(({ OwnerId, amount }) => ({ OwnerId, amount: parseMoney(amount) }));
    });
  }
}

type GivenBack = Refunded & { calls: string[] };

/** What owners get back, in their order: refunded charges, and rests of calls whose ids are `calls`. */
function withRests(refunded: Refunded[], settled: SettledCall[]): GivenBack[] {
  const given = new Map<string, GivenBack>(
    refunded.map((one) => [one.OwnerId, { ...one, calls: [] }]),
  );
  for (const { id, OwnerId, rest } of settled) {
    if (rest <= 0n) continue;
    const none = { OwnerId, amount: '0', entries: [], units: [], volumes: [], calls: [] };
    const one = given.get(OwnerId) ?? none;
    const amount = formatMoney(parseMoney(one.amount) + rest);
    given.set(OwnerId, { ...one, amount, calls: [...one.calls, id] });
  }
  return [...given.values()].sort((a, b) => (a.OwnerId < b.OwnerId ? -1 : 1));
}

/** Whether a charge failed because balance and overdraft, a spend cap, or a package do not cover it, or its volume step has changed. */
export const isUncovered = (error: unknown): boolean =>
  violated(error) === 'balance_covers' ||
  violated(error) === 'package_covers' ||
  error instanceof CapExceeded ||
  error instanceof StepChanged;
