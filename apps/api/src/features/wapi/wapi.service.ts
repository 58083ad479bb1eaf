import { Injectable, type OnModuleInit } from '@nestjs/common';
import { canAdvanceWapi, moneyToNumber } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { refuseImpersonated, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Notifications } from '../../core/notifications.ts';
import { Quotas } from '../../core/quotas.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { GatewaysService } from './gateways.service.ts';
import { present, type WapiInstance } from './wapi-instance.entity.ts';
import { WapiLinksService } from './wapi-links.service.ts';
import { WapiRenewalsService } from './wapi-renewals.service.ts';
import { WAPI_CHANNEL } from './wapi-worker.service.ts';
import { WAPI_QUOTA, WapiStore } from './wapi.store.ts';

/** What people do with instances. */
@Injectable()
export class WapiService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: WapiStore,
    private readonly renewals: WapiRenewalsService,
    private readonly links: WapiLinksService,
    private readonly gateways: GatewaysService,
    private readonly channels: ChannelsService,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly quotas: Quotas,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'wapi',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  async price({ OwnerId }: Actor): Promise<{ amount: number | null; currency: string }> {
    const { currency } = await this.settings.ofAccount(OwnerId);
    const amount = await this.renewals.priceFor(OwnerId);
    return { amount: amount === null ? null : moneyToNumber(amount), currency };
  }

  /** The worker creates it at the gateway afterwards. */
  async create(actor: Actor): Promise<WapiInstance> {
    refuseImpersonated(actor);
    if (!this.gateways.isAvailable)
      throw new AppError('unavailable', 'The installation has no WhatsApp gateway');
    const { OwnerId, userId: createdBy } = actor;
    const amount = await this.priceOf(OwnerId);
    return this.db.transaction(async () => {
      await this.channels.ensure(WAPI_CHANNEL, 'wapi');
      const now = this.clock.now();
      const row = await this.store.create({ OwnerId, createdBy, anchor: now, expiredAt: now });
      await this.quotas.check(WAPI_QUOTA, OwnerId);
      const target = ['wapi', row.id] as const;
      await this.audit.record({ OwnerId, target, after: { amount: moneyToNumber(amount) } });
      await this.notifications.notify(OwnerId, 'WapiCreated', { id: row.id });
      return this.renewals.charge(row, { amount, createdBy, isFirst: true });
    });
  }

  /** Another month; `expiredAt` is the end that the caller knows. */
  async renew(actor: Actor, id: string, expiredAt: string): Promise<WapiInstance> {
    refuseImpersonated(actor);
    const { OwnerId } = await this.store.get(actor.scope, id);
    const amount = await this.priceOf(OwnerId);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      requireNotRemoved(row);
      if (!row.isActive) throw deactivated();
      if (row.expiredAt.getTime() !== Date.parse(expiredAt))
        throw new AppError('conflict', 'The instance was renewed meanwhile');
      if (!canAdvanceWapi(row.expiredAt, this.clock.now()))
        throw new AppError('conflict', 'The instance is paid for a year in advance');
      await this.audit.record({
        OwnerId,
        target: ['wapi', id],
        after: { amount: moneyToNumber(amount), expiredAt },
      });
      return this.renewals.charge(row, { amount, createdBy: actor.userId });
    });
  }

  setCanceled(actor: Actor, id: string, isCanceled: boolean): Promise<WapiInstance> {
    if (!isCanceled) refuseImpersonated(actor);
    return this.set(actor, id, { isCanceled });
  }

  /** Renews no instance of an account that is closed, in the caller's transaction. Returns how many. */
  async cancelAll(OwnerId: string): Promise<number> {
    const canceled = await this.store.cancelAll(OwnerId);
    if (canceled) this.events.counted('wapi', 'updated', OwnerId, null, canceled);
    return canceled;
  }

  /** An administrator's decision; an instance that is not active neither sends nor is renewed. */
  setActive(actor: Actor, id: string, isActive: boolean): Promise<WapiInstance> {
    return this.set(actor, id, { isActive }, isActive ? {} : NO_CODE);
  }

  async qr(actor: Actor, id: string): Promise<WapiInstance> {
    const row = await this.store.get(actor.scope, id);
    requireNotRemoved(row);
    if (!row.isPaid) throw new AppError('instance_expired');
    if (!row.isActive) throw deactivated();
    if (row.state === 'authorized' || row.state === 'sleep')
      throw new AppError('instance_authorized');
    return this.links.open(row);
  }

  async logout(actor: Actor, id: string): Promise<WapiInstance> {
    const row = await this.store.get(actor.scope, id);
    requireNotRemoved(row);
    const { OwnerId, phone } = row;
    const changed = await this.links.logout(row);
    await this.audit.record({ OwnerId, target: ['wapi', id], after: { phone } });
    return changed;
  }

  private set(
    actor: Actor,
    id: string,
    changes: Pick<WapiInstance, 'isCanceled'> | Pick<WapiInstance, 'isActive'>,
    more: Partial<typeof NO_CODE> = {},
  ): Promise<WapiInstance> {
    return this.db.transaction(async () => {
      const before = await this.store.lock(actor.scope, id);
      requireNotRemoved(before);
      const { OwnerId } = before;
      const former = Object.fromEntries(
        Object.keys(changes).map((name) => [name, before[name as keyof WapiInstance]]),
      );
      // A renewal that had failed is tried at once.
      const row = await this.store.update(actor.scope, id, { ...changes, ...more, retryAt: null });
      await this.audit.record({ OwnerId, target: ['wapi', id], before: former, after: changes });
      this.events.changed('wapi', 'updated', OwnerId, id);
      return row;
    });
  }

  private async priceOf(OwnerId: string) {
    const amount = await this.renewals.priceFor(OwnerId);
    if (amount === null) throw new AppError('tariff_required');
    return amount;
  }
}

/** A page that shows the code gets no further one. */
const NO_CODE = { qr: null, watchedUntil: null };

const deactivated = () =>
  new AppError('forbidden', 'An administrator has deactivated the instance');

function requireNotRemoved({ state }: WapiInstance): void {
  if (state === 'deleted') throw new AppError('instance_removed');
}
