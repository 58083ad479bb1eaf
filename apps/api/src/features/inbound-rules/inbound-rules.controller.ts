import { Controller } from '@nestjs/common';
import { inboundRules, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present, type InboundRule } from './inbound-rule.entity.ts';
import { InboundRulesService } from './inbound-rules.service.ts';
import { InboundRulesStore } from './inbound-rules.store.ts';

@Controller()
export class InboundRulesController {
  constructor(
    private readonly service: InboundRulesService,
    private readonly store: InboundRulesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(inboundRules.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof inboundRules.find>,
  ): Promise<ResponseOf<typeof inboundRules.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.allShown(actor, page.data) };
  }

  @Endpoint(inboundRules.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof inboundRules.get>,
  ): Promise<ResponseOf<typeof inboundRules.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(inboundRules.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof inboundRules.create>,
  ): Promise<ResponseOf<typeof inboundRules.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(inboundRules.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof inboundRules.update>,
  ): Promise<ResponseOf<typeof inboundRules.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(inboundRules.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof inboundRules.remove>,
  ): Promise<ResponseOf<typeof inboundRules.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(inboundRules.reorder)
  async reorder(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof inboundRules.reorder>,
  ): Promise<ResponseOf<typeof inboundRules.reorder>> {
    return this.allShown(actor, await this.service.reorder(actor, body.ids));
  }

  @Endpoint(inboundRules.try)
  try(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof inboundRules.try>,
  ): Promise<ResponseOf<typeof inboundRules.try>> {
    return this.service.try(actor, body);
  }

  private async shown(actor: Actor, row: InboundRule): Promise<ReturnType<typeof present>> {
    return (await this.allShown(actor, [row]))[0]!;
  }

  private async allShown(actor: Actor, rows: InboundRule[]): Promise<ReturnType<typeof present>[]> {
    const owned = await this.owners.withOwners(actor.level, rows);
    return owned.map((row) => present(row, actor.level));
  }
}
