import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { GatewayEvent } from '../../gateways/gateway.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { CarrierReportsService } from '../sendings/reports/carrier-reports.service.ts';
import { RepliesService } from '../sendings/reports/replies.service.ts';
import { GatewaysService } from './gateways.service.ts';
import { WapiGatewayStore, type LeasedInstance } from './wapi-gateway.store.ts';
import { WapiLinksService } from './wapi-links.service.ts';

/** The channel of the messages of all instances. */
export const WAPI_CHANNEL = 'wapi';

const BATCH_SIZE = 100;
const LEASE_SECONDS = 60;
const POLL_SECONDS = 1;
/** Events of one instance in a turn. */
const MAX_EVENTS = 50;
/** The state is asked for, too: an event of the gateway may have been lost. */
const CHECK_SECONDS = 60;

/** Creates instances at the gateway and removes them there, renews QR codes, and receives what happens. */
@Injectable()
export class WapiWorkerService implements OnModuleInit {
  constructor(
    private readonly store: WapiGatewayStore,
    private readonly gateways: GatewaysService,
    private readonly links: WapiLinksService,
    private readonly reports: CarrierReportsService,
    private readonly replies: RepliesService,
    private readonly events: Events,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('wapi_instances', 'WhatsApp instances', ['state', 'paid'], async () =>
      (await this.store.countByState()).map(({ state, isPaid, count }) => ({
        labels: { state, paid: String(isPaid) },
        value: count,
      })),
    );
  }

  @Sweeps(1000)
  async provision(): Promise<boolean> {
    if (!this.gateways.isAvailable) return false;
    const leased = await this.lease((now, until) =>
      this.store.leaseUnprovisioned(now, until, BATCH_SIZE),
    );
    await this.links.each(leased, (one) =>
      one.state === 'deleted' ? this.removeThere(one) : this.createThere(one),
    );
    return leased.length === BATCH_SIZE;
  }

  @Sweeps(1000)
  async renewCodes(): Promise<void> {
    if (!this.gateways.isAvailable) return;
    const now = this.clock.now();
    for (const { id, OwnerId } of await this.store.unwatch(now))
      this.events.changed('wapi', 'updated', OwnerId, id);
    await this.links.each(await this.store.watched(now, BATCH_SIZE), (one) =>
      this.links.renew(one),
    );
  }

  @Sweeps(1000)
  async receive(): Promise<boolean> {
    if (!this.gateways.isAvailable) return false;
    const leased = await this.lease((now, until) => this.store.leasePolls(now, until, BATCH_SIZE));
    await this.links.each(leased, (one) => this.receiveOf(one));
    return leased.length === BATCH_SIZE;
  }

  private lease(
    take: (now: Date, until: Date) => Promise<LeasedInstance[]>,
  ): Promise<LeasedInstance[]> {
    const now = this.clock.now();
    return take(now, secondsAfter(now, LEASE_SECONDS));
  }

  /** After a creation without an answer the instance may exist: it is looked up by its name. */
  private async createThere({ id, OwnerId, isCreating }: LeasedInstance): Promise<void> {
    const gateway = await this.gateways.open();
    const known = isCreating ? await gateway.find(id) : null;
    await this.store.startCreation(id);
    const ref = known ?? (await gateway.create(id));
    const token = await this.gateways.seal(id, ref.token);
    await this.store.provisioned(id, ref.id, token, this.clock.now());
    this.events.changed('wapi', 'updated', OwnerId, id);
  }

  private async removeThere({ id, externalId }: LeasedInstance): Promise<void> {
    await (await this.gateways.open()).remove(externalId!);
    await this.store.unprovisioned(id);
  }

  private async receiveOf(instance: LeasedInstance): Promise<void> {
    const ref = (await this.gateways.ref(instance))!;
    const gateway = await this.gateways.open();
    const now = this.clock.now();
    const { checkedAt } = instance;
    const isCheckDue = !checkedAt || secondsAfter(checkedAt, CHECK_SECONDS) <= now;
    if (isCheckDue) await this.syncIfKnown(instance);
    let received = 0;
    for (; received < MAX_EVENTS; received++) {
      const event = await gateway.receive(ref);
      if (!event) break;
      await this.handle(instance, event);
      await gateway.acknowledge(ref, event.receipt);
    }
    const seconds = received === MAX_EVENTS ? 0 : POLL_SECONDS;
    const nextAt = secondsAfter(this.clock.now(), seconds);
    await this.store.polled(instance.id, nextAt, isCheckDue ? now : null);
  }

  /** Stored before it is acknowledged, so an event may come again: each of these does nothing then. */
  private async handle(instance: LeasedInstance, event: GatewayEvent): Promise<void> {
    if (event.kind === 'unreadable') {
      const { receipt } = event;
      this.log.warn(
        { wapi: instance.id, receipt },
        'an unreadable event of the gateway is dropped',
      );
    }
    if (event.kind === 'state') await this.syncIfKnown(instance);
    if (event.kind === 'status') {
      const { externalId, status, code, at } = event;
      const report = { externalId, status, ...(code && { code }), at: at?.toISOString() };
      await this.reports.receive(WAPI_CHANNEL, [report]);
    }
    if (event.kind === 'message') {
      const { id, from, text } = event;
      const { OwnerId } = instance;
      const to = await this.phoneOf(instance);
      // Of a phone that is linked to another instance.
      if (!to) return;
      await this.replies.receive(
        { type: 'wapi', from, to, payload: { text } },
        { OwnerId, channel: WAPI_CHANNEL, webhookId: `${instance.id} ${id}` },
      );
    }
  }

  /**
   * A state that is not known, or that the gateway does not tell, is asked for again in a minute. It keeps no event waiting: an instance
   * may send and receive for days while the gateway says that it is `yellowCard`.
   */
  private async syncIfKnown(instance: LeasedInstance): Promise<void> {
    await this.links.sync(instance).catch((error: unknown) => {
      this.log.warn({ err: error, wapi: instance.id }, 'the state of an instance is not known');
    });
  }

  /** As it is now: the phone may have been linked, or replaced, since the instance was leased. */
  private async phoneOf(instance: LeasedInstance): Promise<string | null> {
    const phone = await this.store.phoneOf(instance.id);
    if (phone) return phone;
    await this.links.sync(instance);
    return this.store.phoneOf(instance.id);
  }
}
