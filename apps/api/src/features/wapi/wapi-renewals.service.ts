import { Injectable } from '@nestjs/common';
import { nextWapiPeriod, WAPI_RETRY_SECONDS, wapiRemovalAt, type Money } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope } from '../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { nameOf, type WapiInstance } from './wapi-instance.entity.ts';
import { WapiStore } from './wapi.store.ts';
import { WapiWebhooksService } from './wapi-webhooks.service.ts';

const BATCH_SIZE = 20;

/**
 * Charges the months of instances. A month, its ledger entry and the new end of the instance are one transaction under the lock of the
 * instance: whichever worker comes first and whatever is killed, a month is charged once.
 */
@Injectable()
export class WapiRenewalsService {
  constructor(
    private readonly db: Db,
    private readonly store: WapiStore,
    private readonly billings: BillingsService,
    private readonly tariffs: TariffsService,
    private readonly settings: SettingsService,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly webhooks: WapiWebhooksService,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Per month; null if the tariff has none. */
  async priceFor(OwnerId: string): Promise<Money | null> {
    const book = await this.tariffs.priceBook(OwnerId);
    const message = {
      sender: '',
      phone: '',
      text: '',
      mccmnc: null,
      contactLists: [],
      group: null,
    };
    return book.price({ type: 'wapi', ...message })?.price[0] ?? null;
  }

  /** Charges a month in the caller's transaction, which holds the lock of the instance. */
  async charge(
    row: Pick<WapiInstance, 'id' | 'OwnerId' | 'anchor' | 'timeZone' | 'expiredAt' | 'isPaid'>,
    { amount, createdBy, isFirst }: { amount: Money; createdBy: string | null; isFirst?: true },
  ): Promise<WapiInstance> {
    const { id, OwnerId } = row;
    const zone = await this.settings.timeZoneOf(OwnerId);
    const period = nextWapiPeriod(isFirst ? null : row, this.clock.now(), zone);
    const origin = await this.store.addPeriod(row, period, amount, createdBy);
    const { anchor, timeZone, endsAt: expiredAt } = period;
    const changes = { anchor, timeZone, expiredAt, isPaid: true, retryAt: null, failedFor: null };
    const changed = await this.store.update(systemScope, id, changes);
    const name = nameOf(changed);
    const until = expiredAt.toISOString();
    await this.notifications.notify(OwnerId, 'SubscriptionEnabled', { id, name, until });
    this.events.changed('wapi', isFirst ? 'created' : 'updated', OwnerId, id);
    await this.webhooks.changed([changed]);
    // Last: the balance is the last lock of a transaction.
    if (amount > 0n)
      await this.billings.post({
        OwnerId,
        amount: -amount,
        origin: { type: 'wapi', id: origin },
        comment: name,
        ...(createdBy && { createdBy }),
      });
    return changed;
  }

  @Sweeps(5000)
  async renewDue(): Promise<boolean> {
    const due = await this.store.due(this.clock.now(), BATCH_SIZE);
    for (const id of due) await this.renew(id);
    return due.length === BATCH_SIZE;
  }

  /** Ends what is not renewed; after the grace it is removed. */
  @Sweeps(5000)
  async endExpired(): Promise<boolean> {
    const now = this.clock.now();
    const lapsed = await this.db.transaction(() => this.lapse(now));
    const removed = await this.db.transaction(() => this.remove(now));
    return lapsed === BATCH_SIZE || removed === BATCH_SIZE;
  }

  async renew(id: string): Promise<void> {
    try {
      await this.db.transaction(async () => {
        const row = await this.store.lockDue(id, this.clock.now());
        if (!row) return;
        const amount = await this.priceFor(row.OwnerId);
        if (amount === null) throw new AppError('tariff_required');
        await this.charge(row, { amount, createdBy: null });
      });
    } catch (error) {
      const isRefused = error instanceof AppError && REFUSALS.has(error.code);
      if (!isRefused)
        this.log.warn(
          { err: error, wapi: id },
          'a subscription was not renewed; it will be tried again',
        );
      else await this.db.transaction(() => this.failed(id));
    }
  }

  /** The owner is notified once in a period, and may still pay within the grace. */
  private async failed(id: string): Promise<void> {
    const now = this.clock.now();
    const row = await this.store.lockDue(id, now);
    if (!row) return;
    const { OwnerId, expiredAt, failedFor } = row;
    const retryAt = secondsAfter(now, WAPI_RETRY_SECONDS);
    const noCode = { qr: null, watchedUntil: null };
    const changes = { isPaid: false, retryAt, failedFor: expiredAt, ...noCode };
    const changed = await this.store.update(systemScope, id, changes);
    this.events.changed('wapi', 'updated', OwnerId, id);
    if (failedFor?.getTime() === expiredAt.getTime()) return;
    await this.webhooks.changed([changed]);
    await this.notifications.notify(OwnerId, 'SubscriptionRenewFailed', {
      id,
      name: nameOf(row),
      until: wapiRemovalAt(expiredAt).toISOString(),
    });
  }

  private async lapse(now: Date): Promise<number> {
    const lapsed = await this.store.lapse(now, BATCH_SIZE);
    for (const { id, OwnerId } of lapsed) this.events.changed('wapi', 'updated', OwnerId, id);
    await this.webhooks.changed(lapsed);
    return lapsed.length;
  }

  private async remove(now: Date): Promise<number> {
    const removed = await this.store.expire(now, BATCH_SIZE);
    await this.webhooks.changed(removed);
    for (const { id, OwnerId, phone } of removed) {
      await this.audit.record({
        action: 'wapi.remove',
        OwnerId,
        target: ['wapi', id],
        after: { state: 'deleted', phone },
      });
      this.events.changed('wapi', 'updated', OwnerId, id);
      if (phone) await this.notifications.notify(OwnerId, 'WapiDisconnected', { id, phone });
    }
    return removed.length;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['insufficient_funds', 'tariff_required']);
