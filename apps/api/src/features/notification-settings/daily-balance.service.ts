import { Injectable } from '@nestjs/common';
import { isTimeZone, nextReportRun, reportPeriod, type ReportTiming } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { DailyBalanceStore } from './daily-balance.store.ts';

const BATCH_SIZE = 200;
const HOUR = 9;

/** Every day at nine. */
export const dailyAt = (timeZone: string): ReportTiming => ({
  frequency: 'daily',
  weekday: null,
  day: null,
  hour: HOUR,
  timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
});

/** Notifies of the balance, and of what the day before cost, every morning. After an outage once, not for each missed day. */
@Injectable()
export class DailyBalanceService {
  constructor(
    private readonly db: Db,
    private readonly store: DailyBalanceStore,
    private readonly billings: BillingsService,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Sweeps(30_000)
  sweep(): Promise<boolean> {
    return this.db.transaction(async () => {
      const now = this.clock.now();
      const due = await this.store.claim(now, BATCH_SIZE);
      if (!due.length) return false;
      const days = due.map((row) => {
        const timing = dailyAt(row.timeZone ?? 'UTC');
        const { start, end } = reportPeriod(timing, now);
        return { ...row, start, end, nextAt: nextReportRun(timing, now) };
      });
      const sums = await this.billings.daySums(days);
      await this.store.postpone(days);
      await this.notifications.notifyAll(
        'BalanceDaily',
        sums.map(({ userId, OwnerId, balance, spent, currency }) => ({
          UserId: userId,
          OwnerId,
          data: {
            balance: Number(balance),
            spent: Number(spent),
            currency: currency ?? this.config.CURRENCY,
          },
        })),
      );
      return due.length === BATCH_SIZE;
    });
  }
}
