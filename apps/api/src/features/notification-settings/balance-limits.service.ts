import { Injectable } from '@nestjs/common';
import type { BalanceLimit, BalanceLimitInput, BalanceLimitsInput } from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { isDeepStrictEqual } from 'node:util';
import { requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { InvoicesService } from '../documents/invoices/invoices.service.ts';
import { BalanceLimitsStore, type FiredLimit, type StoredLimit } from './balance-limits.store.ts';

const BATCH_SIZE = 200;

/**
 * Notifies when a balance falls below a limit, once until it is above again. A sweep compares all limits with the balances, so that
 * charges do not pay for them.
 */
@Injectable()
export class BalanceLimitsService {
  constructor(
    private readonly db: Db,
    private readonly store: BalanceLimitsStore,
    private readonly invoices: InvoicesService,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  async of(userId: string): Promise<BalanceLimit[]> {
    return (await this.store.of(userId)).map(present);
  }

  /** `field` is that of the limits in the request. */
  async set(
    actor: Actor,
    { limits, former }: BalanceLimitsInput,
    field = 'limits',
  ): Promise<BalanceLimit[]> {
    // What falls below them tells the balance.
    if (limits.length) requirePermission(actor, 'billings.find');

    const stored = this.config.RESTRICTED_MODE ? await this.of(actor.userId) : [];
    // Of an installation that has become one for individuals: the invoices are skipped, and do not keep other limits from changing.
    const isKept = ({ invoice }: BalanceLimitInput) =>
      stored.some((one) => isDeepStrictEqual(one.invoice, invoice));
    for (const [i, limit] of limits.entries())
      if (!isKept(limit)) await this.checkInvoice(actor, limit, `${field}.${i}`);
    return this.db.transaction(async () => {
      const { userId, OwnerId } = actor;
      await this.store.lock(userId);
      const before = { limits: await this.of(userId) };
      if (former && !isDeepStrictEqual(former, before.limits.map(asInput)))
        throw new AppError('conflict', 'The limits have changed meanwhile. Load them again.');
      await this.store.replace(userId, OwnerId, limits);
      const after = { limits: await this.of(userId) };
      const action = 'notificationSettings.setLimits';
      await this.audit.record({ action, OwnerId, target: ['users', userId], before, after });
      return after.limits;
    });
  }

  @Sweeps(5000)
  async sweep(): Promise<boolean> {
    await this.store.rearm();
    const reached = await this.store.reached(BATCH_SIZE);
    const plain = reached.filter(({ hasInvoice }) => !hasInvoice).map(({ id }) => id);
    if (plain.length) await this.fire(plain);
    // Each by itself: one that fails keeps no other from its invoice.
    let failures = 0;
    for (const { id } of reached.filter(({ hasInvoice }) => hasInvoice))
      await this.fire([id]).catch((error: unknown) => {
        failures++;
        this.log.error({ err: error, limitId: id }, 'a balance limit was not processed');
      });
    return reached.length === BATCH_SIZE && failures === 0;
  }

  /** Marks limits, issues their invoices and notifies, in one transaction: a stopped worker leaves all of it or nothing. */
  private fire(ids: string[]): Promise<void> {
    return this.db.transaction(async () => {
      const fired = await this.store.fire(ids, this.clock.now());
      const all = [];
      for (const limit of fired) {
        const { userId, OwnerId } = limit;
        const data = {
          limit: Number(limit.limit),
          balance: Number(limit.balance),
          currency: limit.currency ?? this.config.CURRENCY,
          ...(limit.invoice && (await this.issue(limit))),
        };
        all.push({ OwnerId, UserId: userId, data });
      }
      await this.notifications.notifyAll('BalanceLimit', all);
    });
  }

  /** The number of the invoice and where it is sent, or why there is none. */
  private async issue({ OwnerId, invoice, email, locale }: FiredLimit): Promise<object> {
    if (this.config.RESTRICTED_MODE) return { reason: 'no_legal_payers' };
    const { requisiteId, companyId, data } = invoice!;
    const amount = parseMoney(data.SERVICE_PRICE);
    const to = email ? { to: email, locale: locale ?? ('en' as const) } : null;
    try {
      const sides = { OwnerId, requisiteId, companyId, amount };
      const { docNumber, emailTo } = await this.invoices.issueAutomatic(sides, to);
      return { invoice: docNumber, ...(emailTo && { email: emailTo }) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { reason: error.code };
    }
  }

  /** Refuses an invoice that could not be issued, now rather than when the balance is low. */
  private async checkInvoice(actor: Actor, { invoice }: BalanceLimitInput, at: string) {
    if (!invoice) return;
    requirePermission(actor, 'invoices.create');
    await this.invoices.checkSides(actor.OwnerId, invoice).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      const [issue] = error.detail.issues ?? [];
      const field = `${at}.invoice.${issue?.field ?? 'companyId'}`;
      throw invalid(field, issue?.rule ?? 'custom', issue?.message ?? error.message);
    });
  }
}

export const asInput = ({
  balance,
  includeOverdraft,
  invoice,
}: BalanceLimit): BalanceLimitInput => ({
  balance,
  includeOverdraft,
  invoice,
});

const present = ({ balance, includeOverdraft, invoice, isReached }: StoredLimit): BalanceLimit => ({
  balance: Number(balance),
  includeOverdraft,
  invoice: invoice ?? false,
  isReached,
});
