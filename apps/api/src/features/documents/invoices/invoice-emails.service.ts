import { Injectable } from '@nestjs/common';
import { MAX_EMAIL_ATTEMPTS } from '@heliograph/contract';
import { invoiceEmail, printedAmount } from '@heliograph/domain';
import { systemScope } from '../../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { Mailer } from '../../../core/mail/mailer.ts';
import { DocumentsService, filenameOf } from './documents.service.ts';
import type { Invoice } from './invoice.entity.ts';
import { InvoicesStore } from './invoices.store.ts';

/** Before the next attempt, by the number of failed ones. */
const RETRY_SECONDS = [30, 120, 600, 3600] as const;

/** Sends invoices and acts by e-mail. A worker that stops before it records the result sends again. */
@Injectable()
export class InvoiceEmailsService {
  constructor(
    private readonly db: Db,
    private readonly store: InvoicesStore,
    private readonly documents: DocumentsService,
    private readonly mailer: Mailer,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  @Sweeps(1000)
  async sendDue(): Promise<boolean> {
    const row = await this.store.claimEmail(this.clock.now());
    if (!row) return false;
    const isSent = await this.deliver(row).then(
      () => true,
      (error: unknown) => {
        this.log.warn({ invoiceId: row.id, reason: (error as Error).name }, 'e-mail not sent');
        return false;
      },
    );
    await this.record(row, isSent);
    return true;
  }

  private async deliver(row: Invoice): Promise<void> {
    const email = invoiceEmail(row.emailLocale ?? 'en', {
      type: row.type,
      title: this.config.TITLE,
      number: row.docNumber,
      company: row.snapshot.seller.name,
      amount: `${printedAmount(row.amount)} ${row.currency}`,
      url: `${this.config.publicUrl}/balance/invoices?id=${row.id}`,
    });
    await this.mailer.deliver(row.emailTo!, email, [
      { filename: filenameOf(row), content: await this.documents.pdf(row) },
    ]);
  }

  /** Only if no other request replaced the attempt meanwhile. */
  private record(row: Invoice, isSent: boolean): Promise<void> {
    return this.db.transaction(async () => {
      const now = this.clock.now();
      const current = await this.store.lock(systemScope, row.id);
      if (current.emailDue?.getTime() !== row.emailDue?.getTime()) return;
      const wait = RETRY_SECONDS[row.emailAttempts - 1];
      const isOver = isSent || wait === undefined || row.emailAttempts >= MAX_EMAIL_ATTEMPTS;
      await this.store.update(systemScope, row.id, {
        emailDue: isOver ? null : secondsAfter(now, wait),
        emailSentAt: isSent ? now : null,
      });
      this.events.changed('invoices', 'updated', row.OwnerId, row.id);
    });
  }
}
