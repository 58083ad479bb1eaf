import { Controller } from '@nestjs/common';
import { patterns, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present, type Pattern } from './pattern.entity.ts';
import { PatternsService } from './patterns.service.ts';
import { PatternsStore } from './patterns.store.ts';

@Controller()
export class PatternsController {
  constructor(
    private readonly service: PatternsService,
    private readonly store: PatternsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(patterns.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof patterns.find>,
  ): Promise<ResponseOf<typeof patterns.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(patterns.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof patterns.get>,
  ): Promise<ResponseOf<typeof patterns.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(patterns.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof patterns.create>,
  ): Promise<ResponseOf<typeof patterns.create>> {
    return this.shown(actor, await this.service.create(body));
  }

  @Endpoint(patterns.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof patterns.update>,
  ): Promise<ResponseOf<typeof patterns.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(patterns.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof patterns.remove>,
  ): Promise<ResponseOf<typeof patterns.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Pattern) {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
