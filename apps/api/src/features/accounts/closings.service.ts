import { Injectable } from '@nestjs/common';
import type { AccountClosing, CloseInput } from '@heliograph/contract';
import { moneyToNumber } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { AutomationsService } from '../automations/automations.service.ts';
import { SettlementsService, type Settled } from '../billings/settlements.service.ts';
import { MonthlyMinimumsService } from '../monthly-minimums/monthly-minimums.service.ts';
import { RecurrentPaymentsService } from '../recurrent-payments/recurrent-payments.service.ts';
import { RecurringSendingsService } from '../recurring-sendings/recurring-sendings.service.ts';
import { ReportSchedulesService } from '../reports/report-schedules.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { SuspensionsService } from '../users/suspensions.service.ts';
import { UsersService, type User } from '../users/users.service.ts';
import { WapiService } from '../wapi/wapi.service.ts';
import { WebhooksService } from '../webhooks/webhooks.service.ts';
import { BoundsService } from './bounds.service.ts';
import { ClosingsStore } from './closings.store.ts';

/** Closings, settlements and reopenings by one account per hour: each is audited and notified. */
const LIMIT = 2000;

/**
 * Closes accounts: what a suspension stops, and what would go on or begin again by itself ends. Data stay. The balance is settled in the
 * same transaction. docs/decisions/191-closed-accounts.md.
 */
@Injectable()
export class ClosingsService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: ClosingsStore,
    private readonly users: UsersService,
    private readonly bounds: BoundsService,
    private readonly suspensions: SuspensionsService,
    private readonly settlements: SettlementsService,
    private readonly recurring: RecurringSendingsService,
    private readonly automations: AutomationsService,
    private readonly schedules: ReportSchedulesService,
    private readonly payments: RecurrentPaymentsService,
    private readonly wapi: WapiService,
    private readonly webhooks: WebhooksService,
    private readonly minimums: MonthlyMinimumsService,
    private readonly settings: SettingsService,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly events: Events,
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    this.limit = limits.of('closings', LIMIT, 3600);
  }

  async preview(actor: Actor, id: string): Promise<AccountClosing> {
    await this.holder(actor, id);
    const { currency } = await this.settings.ofAccount(id);
    const open = await this.store.open(id, this.clock.now());
    return { ...open, currency, customers: await this.store.customersOf(id) };
  }

  /** Of an account that is closed already, settles what has come to its balance since, if anything has. */
  async close(actor: Actor, id: string, { reason, settlement }: CloseInput): Promise<User> {
    await take(this.limit, actor.OwnerId);
    const now = this.clock.now();
    return this.db.transaction(async () => {
      await this.suspensions.lock(id);
      const before = await this.holder(actor, id);
      const ended = before.closedAt ? null : await this.end(before, reason, now);
      const settled = await this.settlements.settle(actor, id, settlement, now);
      if (!ended && !settled.amount) return before;
      const { amount, packages, units, currency } = settled;
      const after = await this.users.administered(actor, id);
      await this.audit.record({
        OwnerId: id,
        target: ['users', id],
        before: { ...audited(before), balance: moneyToNumber(amount) },
        after: { ...audited(after), balance: 0, currency, ...ended, packages, units },
      });
      await this.tell(before, ended ? reason : null, settled);
      this.events.changed('users', 'updated', id, id);
      return after;
    });
  }

  /** What was removed, stopped or paused stays so. Sessions are gone; API tokens work again. */
  async reopen(actor: Actor, id: string): Promise<User> {
    await take(this.limit, actor.OwnerId);
    return this.db.transaction(async () => {
      await this.suspensions.lock(id);
      const before = await this.holder(actor, id);
      if (!before.closedAt) return before;
      if (before.ResellerId) await this.bounds.takeCustomer(before.ResellerId);
      await this.suspensions.reopen(before);
      const after = await this.users.administered(actor, id);
      await this.audit.record({
        OwnerId: id,
        target: ['users', id],
        before: audited(before),
        after: audited(after),
      });
      this.events.changed('users', 'updated', id, id);
      return after;
    });
  }

  /** Ends what would go on or begin again by itself. Returns how many of each. */
  private async end(user: User, reason: string, now: Date) {
    const { id } = user;
    const customers = await this.store.customersOf(id);
    if (customers)
      throw new AppError(
        'conflict',
        `${customers} open accounts have it as their reseller or manager. Close or move them first.`,
        { payload: { customers } },
      );
    const recurringSendings = await this.recurring.pauseAll(id);
    const automations = await this.automations.pauseAll(id);
    const reportSchedules = await this.schedules.pauseAll(id);
    const recurrentPayments = await this.payments.removeAll(id);
    const wapi = await this.wapi.cancelAll(id);
    const webhooks = await this.webhooks.disableAll(id);
    await this.minimums.waive(id);
    const bulks = await this.suspensions.close(user, reason, now);
    return {
      bulks,
      recurringSendings,
      automations,
      reportSchedules,
      recurrentPayments,
      wapi,
      webhooks,
    };
  }

  /** `reason` is that of a closing. */
  private tell(
    { id, username }: User,
    reason: string | null,
    { amount, currency }: Settled,
  ): Promise<void> {
    const sum = { username, amount: moneyToNumber(amount), currency };
    return reason === null
      ? this.notifications.notify(id, 'AccountSettled', sum)
      : this.notifications.notify(id, 'AccountClosed', { ...sum, reason });
  }

  /** Another user of an account is suspended or removed. */
  private async holder(actor: Actor, id: string): Promise<User> {
    const user = await this.users.administered(actor, id);
    if (user.OwnerId !== id)
      throw new AppError('conflict', 'Only an account can be closed, by the id of its holder');
    return user;
  }
}

const audited = ({ isActive, closedAt, suspensionReason: reason }: User) => ({
  isActive,
  isClosed: closedAt !== null,
  reason,
});
