import { Controller } from '@nestjs/common';
import { webhooks, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { DeliveriesService } from './deliveries.service.ts';
import { present, type Webhook } from './webhook.entity.ts';
import { WebhooksService } from './webhooks.service.ts';
import { WebhooksStore } from './webhooks.store.ts';

@Controller()
export class WebhooksController {
  constructor(
    private readonly service: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly store: WebhooksStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(webhooks.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof webhooks.find>,
  ): Promise<ResponseOf<typeof webhooks.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(webhooks.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof webhooks.get>,
  ): Promise<ResponseOf<typeof webhooks.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(webhooks.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof webhooks.create>,
  ): Promise<ResponseOf<typeof webhooks.create>> {
    const { row, secret } = await this.service.create(actor, body);
    return { ...(await this.shown(actor, row)), secret };
  }

  @Endpoint(webhooks.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof webhooks.update>,
  ): Promise<ResponseOf<typeof webhooks.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(webhooks.rotate)
  async rotate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof webhooks.rotate>,
  ): Promise<ResponseOf<typeof webhooks.rotate>> {
    const { row, secret } = await this.service.rotate(actor, params.id, body);
    return { ...(await this.shown(actor, row)), secret };
  }

  @Endpoint(webhooks.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof webhooks.remove>,
  ): Promise<ResponseOf<typeof webhooks.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(webhooks.test)
  test(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof webhooks.test>,
  ): Promise<ResponseOf<typeof webhooks.test>> {
    return this.deliveries.test(actor, params.id);
  }

  @Endpoint(webhooks.replay)
  replay(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof webhooks.replay>,
  ): Promise<ResponseOf<typeof webhooks.replay>> {
    return this.deliveries.replay(actor, params.id, body);
  }

  @Endpoint(webhooks.deliveries)
  findDeliveries(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof webhooks.deliveries>,
  ): Promise<ResponseOf<typeof webhooks.deliveries>> {
    return this.deliveries.find(actor, params.id, query);
  }

  @Endpoint(webhooks.delivery)
  delivery(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof webhooks.delivery>,
  ): Promise<ResponseOf<typeof webhooks.delivery>> {
    return this.deliveries.get(actor, params.id, params.deliveryId);
  }

  private async shown(actor: Actor, row: Webhook): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
