import { Injectable } from '@nestjs/common';
import {
  documentMonth,
  monthBefore,
  moneyToNumber,
  monthlyFee,
  parseMoney,
} from '@heliograph/domain';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { MonthlyMinimumsStore, type DueFee } from './monthly-minimums.store.ts';

const SWEEP_MS = 60_000;
/** After which a fee is tried again that the balance did not cover. */
const RETRY_SECONDS = 3600;

/**
 * Counts the months of minimums that have ended, and charges their fees. One month in one transaction under the lock of its row, with the
 * entry whose origin it is: whichever worker comes first and whatever is killed, a month is charged once.
 */
@Injectable()
export class MonthlyFeesService {
  constructor(
    private readonly db: Db,
    private readonly store: MonthlyMinimumsStore,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /** One month of one account. Test accounts and those that are suspended or removed now are not charged for it. */
  @Sweeps(SWEEP_MS)
  closeMonth(): Promise<boolean> {
    const now = this.clock.now();
    return this.db.transaction(async () => {
      const month = await this.store.ended(monthBefore(now).day);
      if (!month) return false;
      const { OwnerId } = month;
      const days = documentMonth(new Date(`${month.period}T00:00:00Z`));
      const spent = await this.store.spent(OwnerId, days);
      const { currency } = await this.settings.ofAccount(OwnerId);
      const isInForce = month.isInForce && month.currency === currency;
      const minimum = parseMoney(month.minimum);
      const fee = isInForce && month.isCharged ? monthlyFee(minimum, spent) : 0n;
      await this.store.close(month, { spent, fee }, now, !isInForce || !minimum);
      return true;
    });
  }

  /** One fee. */
  @Sweeps(SWEEP_MS)
  async chargeFee(): Promise<boolean> {
    const now = this.clock.now();
    const tried: DueFee[] = [];
    try {
      await this.db.transaction(async () => {
        const due = await this.store.due(now);
        if (!due) return;
        tried.push(due);
        await this.charge(due, now);
      });
    } catch (error) {
      const due = tried.at(-1);
      if (!due || !(error instanceof AppError) || error.code !== 'insufficient_funds') throw error;
      await this.uncovered(due, now);
    }
    return tried.length > 0;
  }

  private async charge(due: DueFee, now: Date): Promise<void> {
    const { id, OwnerId, period, fee } = due;
    await this.store.charged(id, now);
    await this.notifications.notify(OwnerId, 'MonthlyFee', dataOf(due));
    // Last: the balance is the last lock of a transaction.
    await this.billings.post({
      OwnerId,
      amount: -parseMoney(fee),
      origin: { type: 'minimum', id },
      comment: period.slice(0, 7),
    });
  }

  /** The owner is told once; what comes in later pays it. */
  private uncovered(due: DueFee, now: Date): Promise<void> {
    const { id, OwnerId } = due;
    return this.db.transaction(async () => {
      if (!(await this.store.retry(id, now, secondsAfter(now, RETRY_SECONDS)))) return;
      const data = dataOf(due);
      await this.notifications.notify(OwnerId, 'MonthlyFeeUnpaid', data);
    });
  }
}

const dataOf = ({ period, fee, currency }: DueFee) => ({
  amount: moneyToNumber(parseMoney(fee)),
  currency,
  month: period.slice(0, 7),
});
