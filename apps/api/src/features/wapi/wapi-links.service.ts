import { Injectable } from '@nestjs/common';
import {
  WAPI_QR_SECONDS,
  WAPI_QR_WATCH_SECONDS,
  wapiTransition,
  type WapiEvent,
} from '@heliograph/domain';
import type { GatewayQr, InstanceRef, LinkState } from '../../gateways/gateway.ts';
import { systemScope } from '../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { GatewaysService } from './gateways.service.ts';
import type { LeasedInstance } from './wapi-gateway.store.ts';
import type { WapiInstance } from './wapi-instance.entity.ts';
import { WapiStore } from './wapi.store.ts';
import { WapiWebhooksService } from './wapi-webhooks.service.ts';

type Linked = Pick<LeasedInstance, 'id' | 'OwnerId' | 'state' | 'externalId' | 'token'>;
const EVENTS: Record<LinkState, WapiEvent> = {
  authorized: 'authorized',
  notAuthorized: 'notAuthorized',
  sleep: 'sleep',
  deleted: 'lost',
};

/** The link of an instance with its phone: what the gateway says of it, and its QR codes. */
@Injectable()
export class WapiLinksService {
  constructor(
    private readonly db: Db,
    private readonly store: WapiStore,
    private readonly gateways: GatewaysService,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly webhooks: WapiWebhooksService,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Asks the gateway for the state, and applies it. A phone that is linked to another instance is unlinked here; the result is then the
   * problem.
   */
  async sync(instance: Linked): Promise<WapiInstance['problem']> {
    const ref = await this.gateways.ref(instance);
    if (!ref) return null;
    const gateway = await this.gateways.open();
    const { state, phone } = await gateway.state(ref);
    if (state === 'authorized' && !phone) return null;
    if (await this.apply(instance, state, phone)) return null;
    await gateway.logout(ref);
    await this.change(instance, { problem: 'phone_already_used', qr: null });
    return 'phone_already_used';
  }

  /** False if the phone is linked to another instance. */
  private async apply(instance: Linked, state: LinkState, phone: string | null): Promise<boolean> {
    try {
      return await this.db.transaction(() => this.applyLocked(instance, state, phone));
    } catch (error) {
      if (violated(error) === 'wapi_instances_phone') return false;
      throw error;
    }
  }

  private async applyLocked(
    { id, externalId }: Linked,
    state: LinkState,
    phone: string | null,
  ): Promise<boolean> {
    const row = await this.store.lock(systemScope, id);
    // Meanwhile created again: what was said is of the instance that it had before.
    if (row.externalId !== externalId) return true;
    const next = wapiTransition(row.state, EVENTS[state]);
    const isMoved = state === 'authorized' && phone !== row.phone && row.state === 'authorized';
    if (!next && !isMoved) return true;
    const linked = state === 'authorized' ? phone! : row.phone;
    if (state === 'authorized' && (await this.store.isLinkedElsewhere(id, linked!))) return false;
    const changed = await this.change(row, {
      state: next ?? row.state,
      phone: linked,
      problem: null,
      qr: null,
      watchedUntil: null,
      ...(next === 'undefined' && { externalId: null, token: null, isCreating: false }),
    });
    await this.webhooks.changed([changed]);
    await this.notify({ ...row, phone: linked }, next);
    return true;
  }

  private async notify(before: WapiInstance, next: WapiInstance['state'] | null): Promise<void> {
    const { id, OwnerId, phone, state } = before;
    const wasLinked = state === 'authorized' || state === 'sleep';
    if (next === 'authorized' && !wasLinked)
      await this.notifications.notify(OwnerId, 'WapiConnected', { id, phone });
    if (wasLinked && (next === 'notAuthorized' || next === 'undefined'))
      await this.notifications.notify(OwnerId, 'WapiDisconnected', { id, phone });
  }

  /** Opens the QR code for a person. The worker renews it for a minute. */
  async open(row: WapiInstance): Promise<WapiInstance> {
    const ref = await this.gateways.ref(row);
    const qr = ref && (await this.codeFor(row, ref));
    return this.change(row, {
      watchedUntil: secondsAfter(this.clock.now(), WAPI_QR_WATCH_SECONDS),
      problem: null,
      ...(qr && { qr }),
    });
  }

  /** Renews the code of an instance that somebody has open. */
  async renew(instance: LeasedInstance): Promise<void> {
    const ref = await this.gateways.ref(instance);
    if (!ref) return;
    const answer = await (await this.gateways.open()).qr(ref);
    if (answer.type === 'authorized') return void (await this.sync(instance));
    if (answer.type === 'refused')
      return void (await this.change(instance, { problem: answer.reason, qr: null }));
    const row = await this.store.get(systemScope, instance.id);
    const isSame = row.qr?.code === answer.code && row.qr?.image === answer.image;
    if (!isSame) await this.change(instance, { qr: this.qrOf(answer) });
  }

  async logout(row: WapiInstance): Promise<WapiInstance> {
    const ref = await this.gateways.ref(row);
    if (ref) await (await this.gateways.open()).logout(ref);
    await this.apply(row, 'notAuthorized', null);
    return this.store.get(systemScope, row.id);
  }

  private async codeFor(row: WapiInstance, ref: InstanceRef): Promise<WapiInstance['qr']> {
    const answer = await (await this.gateways.open()).qr(ref);
    if (answer.type === 'code') return this.qrOf(answer);
    const problem = answer.type === 'refused' ? answer.reason : await this.sync(row);
    if (answer.type === 'refused') await this.change(row, { problem, qr: null });
    throw new AppError(problem ?? 'instance_authorized');
  }

  private qrOf({ code, image }: Extract<GatewayQr, { type: 'code' }>): WapiInstance['qr'] {
    const expiresAt = secondsAfter(this.clock.now(), WAPI_QR_SECONDS).toISOString();
    return { code, image, expiresAt };
  }

  /** A change that is an event, and not an act of a person. */
  async change(
    { id, OwnerId }: Pick<WapiInstance, 'id' | 'OwnerId'>,
    changes: Partial<WapiInstance>,
  ): Promise<WapiInstance> {
    const row = await this.store.update(systemScope, id, changes as never);
    this.events.changed('wapi', 'updated', OwnerId, id);
    return row;
  }

  /** One instance that fails must not keep the others waiting. */
  async each(
    instances: LeasedInstance[],
    work: (one: LeasedInstance) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      instances.map((one) =>
        work(one).catch((error: unknown) =>
          this.log.warn({ err: error, wapi: one.id }, 'the gateway failed for an instance'),
        ),
      ),
    );
  }
}
