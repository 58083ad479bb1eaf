import { Controller } from '@nestjs/common';
import { requisites, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present, type Requisite } from './requisite.entity.ts';
import { RequisitesService } from './requisites.service.ts';
import { RequisitesStore } from './requisites.store.ts';

@Controller()
export class RequisitesController {
  constructor(
    private readonly service: RequisitesService,
    private readonly store: RequisitesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(requisites.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof requisites.find>,
  ): Promise<ResponseOf<typeof requisites.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(requisites.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof requisites.get>,
  ): Promise<ResponseOf<typeof requisites.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(requisites.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof requisites.create>,
  ): Promise<ResponseOf<typeof requisites.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(requisites.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof requisites.update>,
  ): Promise<ResponseOf<typeof requisites.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(requisites.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof requisites.remove>,
  ): Promise<ResponseOf<typeof requisites.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Requisite): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
