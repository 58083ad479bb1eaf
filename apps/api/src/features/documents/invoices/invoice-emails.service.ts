import { Injectable } from '@nestjs/common';
import { invoiceEmail, printedAmount } from '@heliograph/domain';
import { systemScope } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Events } from '../../../core/events/events.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { DueEmails } from '../../../core/mail/due-emails.ts';
import { Mailer } from '../../../core/mail/mailer.ts';
import { BrandsService } from '../../brands/brands.service.ts';
import { DocumentsService, filenameOf } from './documents.service.ts';
import { INVOICE_EMAILS, InvoicesStore } from './invoices.store.ts';

/** Sends invoices and acts by e-mail. */
@Injectable()
export class InvoiceEmailsService {
  constructor(
    private readonly store: InvoicesStore,
    private readonly documents: DocumentsService,
    private readonly emails: DueEmails,
    private readonly mailer: Mailer,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly brands: BrandsService,
  ) {}

  @Sweeps(1000)
  sendDue(): Promise<boolean> {
    return this.emails.sendNext(INVOICE_EMAILS, {
      deliver: (id) => this.deliver(id),
      record: (id, isSent) => this.record(id, isSent),
    });
  }

  private async deliver(id: string): Promise<void> {
    const row = await this.store.get(systemScope, id);
    const { title, url, sender } = await this.brands.ofUser(row.OwnerId);
    const email = invoiceEmail(row.emailLocale ?? 'en', {
      type: row.type,
      title,
      number: row.docNumber,
      company: row.snapshot.seller.name,
      amount: `${printedAmount(row.amount)} ${row.currency}`,
      url: `${url}/balance/invoices?id=${id}`,
    });
    const attachments = [{ filename: filenameOf(row), content: await this.documents.pdf(row) }];
    await this.mailer.deliver(row.emailTo!, email, { attachments, sender });
  }

  private async record(id: string, isSent: boolean): Promise<void> {
    const emailSentAt = isSent ? this.clock.now() : null;
    const { OwnerId } = await this.store.update(systemScope, id, { emailSentAt });
    this.events.changed('invoices', 'updated', OwnerId, id);
  }
}
