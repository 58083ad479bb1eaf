import { Controller } from '@nestjs/common';
import { contracts, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { present, type Contract } from './contract.entity.ts';
import { ContractsService } from './contracts.service.ts';
import { ContractsStore } from './contracts.store.ts';

@Controller()
export class ContractsController {
  constructor(
    private readonly service: ContractsService,
    private readonly store: ContractsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(contracts.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof contracts.find>,
  ): Promise<ResponseOf<typeof contracts.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(contracts.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contracts.get>,
  ): Promise<ResponseOf<typeof contracts.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(contracts.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof contracts.update>,
  ): Promise<ResponseOf<typeof contracts.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(contracts.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contracts.remove>,
  ): Promise<ResponseOf<typeof contracts.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Contract): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
