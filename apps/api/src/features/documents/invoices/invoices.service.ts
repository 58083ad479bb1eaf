import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { InvoiceInput } from '@heliograph/contract';
import {
  invoiceTransition,
  parseMoney,
  type InvoiceAction,
  type Locale,
  type Money,
} from '@heliograph/domain';
import { Audit } from '../../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, noLegalPayers } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { KeyedEffects } from '../../../core/keyed-effects.ts';
import { EmailLocalesStore } from '../../../core/mail/email-locales.store.ts';
import { Mailer } from '../../../core/mail/mailer.ts';
import { Quotas } from '../../../core/quotas.ts';
import { RateLimits, take } from '../../../core/rate-limits.ts';
import { BillingsService } from '../../billings/billings.service.ts';
import { ReferralsService } from '../../referrals/referrals.service.ts';
import { DocumentsService } from './documents.service.ts';
import { IssueService } from './issue.service.ts';
import { present, type Invoice } from './invoice.entity.ts';
import { InvoicesStore, PENDING_QUOTA } from './invoices.store.ts';

/** E-mails per account and hour. */
const EMAILS = { prefix: 'invoices:email', points: 30, seconds: 3600 };

interface AutomaticIssue {
  OwnerId: string;
  requisiteId: string;
  companyId: string;
  amount: Money;
}

@Injectable()
export class InvoicesService implements OnModuleInit {
  private readonly emails: ReturnType<RateLimits['of']>;

  constructor(
    private readonly db: Db,
    private readonly store: InvoicesStore,
    private readonly owners: Owners,
    private readonly issuing: IssueService,
    private readonly documents: DocumentsService,
    private readonly billings: BillingsService,
    private readonly referrals: ReferralsService,
    private readonly quotas: Quotas,
    private readonly effects: KeyedEffects,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly clock: Clock,
    private readonly config: Config,
    limits: RateLimits,
  ) {
    this.emails = limits.of(EMAILS.prefix, EMAILS.points, EMAILS.seconds);
  }

  onModuleInit(): void {
    this.events.present(
      'invoices',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** Issues an invoice and makes its document. A process that stops or fails in between leaves the document to a sweep. */
  async create(actor: Actor, { amount, customerId, ...sides }: InvoiceInput): Promise<Invoice> {
    const OwnerId = await this.customerOf(actor, customerId);
    const issue = async () => {
      await this.quotas.requireRoom(PENDING_QUOTA, OwnerId, 1);
      const row = await this.issuing.issue({
        ...sides,
        OwnerId,
        amount: parseMoney(amount),
        type: 'invoice',
        source: 'user',
      });
      await this.quotas.check(PENDING_QUOTA, OwnerId);
      return row.id;
    };
    return this.effects.run(issue, async (id) => {
      await this.documents.tryEnsure(id);
      return this.store.get(actor.scope, id);
    });
  }

  /**
   * Issues an invoice by itself, in the caller's transaction. Its document is made by a sweep, and sent to the address if there is one.
   * Throws before it writes anything.
   */
  async issueAutomatic(
    { OwnerId, requisiteId, companyId, amount }: AutomaticIssue,
    email: { to: string; locale: Locale } | null,
  ): Promise<Invoice> {
    await this.checkSides(OwnerId, { requisiteId, companyId });
    await this.quotas.requireRoom(PENDING_QUOTA, OwnerId, 1);
    const row = await this.issuing.issue({
      OwnerId,
      requisiteId,
      companyId,
      amount,
      type: 'invoice',
      source: 'system',
    });
    if (!email || !this.mailer.isEnabled) return row;
    return this.store.update(systemScope, row.id, {
      emailTo: email.to,
      emailLocale: email.locale,
      emailAttempts: 0,
      emailDue: this.clock.now(),
    });
  }

  /** Throws the error with which an invoice of these sides would be refused. */
  async checkSides(
    OwnerId: string,
    sides: { requisiteId: string; companyId: string },
  ): Promise<void> {
    if (this.config.RESTRICTED_MODE) throw noLegalPayers();
    await this.issuing.draft('invoice', { OwnerId, ...sides });
  }

  /** The account that a document is for. Throws `not_found` for one that the actor has no access to. */
  async customerOf(actor: Actor, customerId = actor.OwnerId): Promise<string> {
    if (customerId !== actor.OwnerId && !(await this.owners.within(actor.scope, customerId)))
      throw new AppError('not_found', undefined, { foreignAccount: customerId });
    return customerId;
  }

  async document(actor: Actor, id: string): Promise<{ documentId: string }> {
    await this.store.get(actor.scope, id);
    return { documentId: await this.documents.ensure(id) };
  }

  /** Credits the amount, once: the row is locked, and its entry is unique. */
  pay(actor: Actor, id: string): Promise<Invoice> {
    return this.decide(actor, id, 'pay', async (row) => {
      const { OwnerId, docNumber: comment } = row;
      const amount = parseMoney(row.amount);
      const origin = { type: 'invoice' as const, id };
      const posted = await this.billings.post({ OwnerId, amount, origin, comment });
      if (!posted) throw new AppError('conflict', 'The invoice is credited already');
      await this.referrals.onPayment(OwnerId, amount, origin);
      return { paidAt: this.clock.now(), paidBy: actor.userId };
    });
  }

  reject(actor: Actor, id: string, reason?: string): Promise<Invoice> {
    return this.decide(actor, id, 'reject', ({ emailSentAt }) =>
      Promise.resolve({
        reason: reason || null,
        rejectedAt: this.clock.now(),
        rejectedBy: actor.userId,
        // Its receiver would pay it.
        ...(!emailSentAt && { emailTo: null, emailDue: null }),
      }),
    );
  }

  /** Sends the document in the background; a failed attempt is repeated. Another request replaces one that is not over. */
  async send(actor: Actor, id: string, to: string, fallback: Locale): Promise<Invoice> {
    this.mailer.assertReady();
    const { OwnerId } = await this.store.get(actor.scope, id);
    await take(this.emails, actor.OwnerId);
    const emailLocale = await this.locales.of(OwnerId, fallback);
    return this.db.transaction(async () => {
      const { status } = await this.store.lock(actor.scope, id);
      if (status === 'rejected') throw new AppError('conflict', 'The invoice is rejected');
      const row = await this.store.update(actor.scope, id, {
        emailTo: to,
        emailLocale,
        emailAttempts: 0,
        emailDue: this.clock.now(),
        emailSentAt: null,
      });
      this.events.changed('invoices', 'updated', OwnerId, id);
      return row;
    });
  }

  private decide(
    actor: Actor,
    id: string,
    action: InvoiceAction,
    effect: (row: Invoice) => Promise<Partial<Invoice>>,
  ): Promise<Invoice> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      if (row.OwnerId === actor.OwnerId)
        throw new AppError('forbidden', 'You cannot decide on an invoice of your own account');
      const status = invoiceTransition(row.status, action);
      if (!status) throw new AppError('conflict', `The invoice is ${row.status} already`);
      const changed = await this.store.update(actor.scope, id, { ...(await effect(row)), status });
      const { OwnerId, docNumber } = row;
      await this.audit.record({
        OwnerId,
        target: ['invoices', id],
        before: { docNumber, amount: Number(row.amount), status: row.status },
        after: { docNumber, amount: Number(row.amount), status, reason: changed.reason },
      });
      this.events.changed('invoices', 'updated', OwnerId, id);
      return changed;
    });
  }
}
