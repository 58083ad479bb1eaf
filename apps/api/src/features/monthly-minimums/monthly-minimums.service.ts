import { Injectable } from '@nestjs/common';
import type { MonthlyMinimum } from '@heliograph/contract';
import {
  documentMonth,
  minimumStart,
  moneyToNumber,
  monthlyFee,
  parseMoney,
} from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { setterOf } from '../tariffs/catalogue.service.ts';
import { MonthlyMinimumsStore } from './monthly-minimums.store.ts';

/** What the messages of an account cost at least in a month. */
@Injectable()
export class MonthlyMinimumsService {
  constructor(
    private readonly db: Db,
    private readonly store: MonthlyMinimumsStore,
    private readonly owners: Owners,
    private readonly settings: SettingsService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async find({ scope }: Pick<Actor, 'scope'>, OwnerId: string): Promise<MonthlyMinimum> {
    if (!(await this.owners.within(scope, OwnerId))) throw notFound();
    const now = this.clock.now();
    const month = documentMonth(now);
    const { currency } = await this.settings.ofAccount(OwnerId);
    const { minimum, next, unpaid } = await this.store.inForce(
      OwnerId,
      { month: month.day, next: documentMonth(now, 1).day },
      currency,
    );
    const spent = minimum || next ? await this.store.spent(OwnerId, month) : 0n;
    return {
      OwnerId,
      currency,
      minimum: moneyToNumber(minimum),
      spent: moneyToNumber(spent),
      fee: moneyToNumber(monthlyFee(minimum, spent)),
      startsAt: month.from.toISOString(),
      endsAt: month.to.toISOString(),
      next: moneyToNumber(next),
      unpaid: moneyToNumber(unpaid),
    };
  }

  /** Ends the minimum of an account that is closed, and waives what is not charged. In the caller's transaction. */
  async waive(OwnerId: string): Promise<void> {
    const now = this.clock.now();
    await this.store.remove(OwnerId, documentMonth(now, 1).day);
    await this.store.waive(OwnerId, documentMonth(now).day);
  }

  /**
   * A lower one is in force from this month on, another from the next one, so that no month costs more than was agreed when it began. 0
   * also waives fees that are not paid yet. What the installation has set, a reseller does not change.
   */
  async set(actor: Actor, OwnerId: string, amount: number): Promise<MonthlyMinimum> {
    const setter = setterOf(actor);
    if (!(await this.owners.within(actor.scope, OwnerId))) throw notFound();
    if (setter === OwnerId) throw new AppError('forbidden', 'You cannot set your own minimum');
    const now = this.clock.now();
    const months = { month: documentMonth(now).day, next: documentMonth(now, 1).day };
    const minimum = parseMoney(amount);
    return this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const { currency } = await this.settings.ofAccount(OwnerId);
      const before = await this.store.inForce(OwnerId, months, currency);
      if (setter && before.isOfInstallation)
        throw new AppError('forbidden', 'The minimum was set by the installation');
      const row = { OwnerId, minimum, currency, ResellerId: setter };
      const isSame = minimum === before.minimum;
      if (isSame || minimumStart(before.minimum, minimum) === 'this')
        await this.store.remove(OwnerId, months.next);
      if (!isSame)
        await this.store.put(
          row,
          months[minimumStart(before.minimum, minimum) === 'this' ? 'month' : 'next'],
        );
      if (!minimum) await this.store.waive(OwnerId, months.month);
      const after = await this.store.inForce(OwnerId, months, currency);
      await this.audit.record({
        OwnerId,
        target: ['users', OwnerId],
        before: audited(before),
        after: audited(after),
      });
      return this.find(actor, OwnerId);
    });
  }
}

const audited = ({ minimum, next }: Record<'minimum' | 'next', bigint>) => ({
  minimum: moneyToNumber(minimum),
  nextMinimum: moneyToNumber(next),
});
