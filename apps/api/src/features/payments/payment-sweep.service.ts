import { Injectable } from '@nestjs/common';
import { querySeconds } from '@heliograph/domain';
import { systemScope } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { PaymentsService } from './payments.service.ts';
import { PaymentsStore } from './payments.store.ts';
import { RefundsService } from './refunds.service.ts';

const BATCH_SIZE = 10;
const INTERVALS = Array.from({ length: 7 }, (_, attempts) => querySeconds(attempts));

/** Asks acquirers about payments without an answer: the notification, or the process that waited for the answer, was lost. */
@Injectable()
export class PaymentSweepService {
  constructor(
    private readonly store: PaymentsStore,
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @Sweeps(5000)
  async resolveOpen(): Promise<boolean> {
    const due = await this.store.takeDue(this.clock.now(), INTERVALS, BATCH_SIZE);
    const rows = await this.store.byIds(
      systemScope,
      due.map(({ id }) => id),
    );
    await Promise.all(
      rows.map(async (payment) => {
        try {
          if (payment.status === 'init') await this.payments.query(payment);
          else if (payment.status === 'refundRequested') await this.refunds.attempt(payment.id);
        } catch (error) {
          this.log.warn({ err: error, payment: payment.id }, 'a payment could not be queried');
        }
      }),
    );
    return due.length === BATCH_SIZE;
  }
}
