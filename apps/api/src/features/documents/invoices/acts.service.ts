import { Injectable } from '@nestjs/common';
import { formatMoney, monthBefore, parseMoney, toKopecks } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { ActsStore } from './acts.store.ts';
import { IssueService } from './issue.service.ts';
import { InvoicesStore } from './invoices.store.ts';

const SWEEP_MS = 60_000;

/**
 * The acts of the last month: one for each account that was charged and has paid an invoice, with the company and the requisite of its
 * latest one. Accounts that pay by card have no requisite, so they have no acts.
 */
@Injectable()
export class ActsService {
  constructor(
    private readonly db: Db,
    private readonly store: ActsStore,
    private readonly invoices: InvoicesStore,
    private readonly issuing: IssueService,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** One account in one transaction with the progress of the month, so a worker that stops leaves neither a gap nor a second act. */
  @Sweeps(SWEEP_MS)
  makeActs(): Promise<boolean> {
    const month = monthBefore(this.clock.now());
    return this.db.transaction(async () => {
      const open = await this.store.open(month.day);
      if (!open) return false;
      const OwnerId = await this.store.next(open.after);
      if (OwnerId) await this.make(OwnerId, month);
      await this.store.advance(month.day, OwnerId);
      return OwnerId !== null;
    });
  }

  private async make(
    OwnerId: string,
    { day, from, to }: ReturnType<typeof monthBefore>,
  ): Promise<void> {
    if (await this.store.isCounted(OwnerId, day)) return;
    const paid = await this.invoices.lastPaid(OwnerId);
    if (!paid) return;
    const due = parseMoney(await this.store.due(OwnerId, from, to));
    const amount = due > 0n ? toKopecks(due) * 100n : 0n;
    try {
      if (amount > 0n)
        await this.issuing.issue({
          OwnerId,
          type: 'act',
          source: 'system',
          amount,
          period: day,
          companyId: paid.CompanyId,
          requisiteId: paid.RequisiteId!,
        });
      await this.store.count(OwnerId, day, formatMoney(due - amount));
    } catch (error) {
      // The requisite was deleted, or the company was changed since: a manager has to settle it.
      if (!(error instanceof AppError)) throw error;
      this.log.warn({ OwnerId, period: day, reason: error.code }, 'no act was made');
    }
  }
}
