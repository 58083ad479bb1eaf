import { Controller } from '@nestjs/common';
import { tokens, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present, type Token } from './token.entity.ts';
import { TokensService } from './tokens.service.ts';
import { TokensStore } from './tokens.store.ts';

@Controller()
export class TokensController {
  constructor(
    private readonly service: TokensService,
    private readonly store: TokensStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(tokens.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof tokens.find>,
  ): Promise<ResponseOf<typeof tokens.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(tokens.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tokens.get>,
  ): Promise<ResponseOf<typeof tokens.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(tokens.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tokens.create>,
  ): Promise<ResponseOf<typeof tokens.create>> {
    const { row, token } = await this.service.create(actor, body);
    return { ...(await this.shown(actor, row)), token };
  }

  @Endpoint(tokens.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof tokens.update>,
  ): Promise<ResponseOf<typeof tokens.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(tokens.rotate)
  async rotate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof tokens.rotate>,
  ): Promise<ResponseOf<typeof tokens.rotate>> {
    const { row, token } = await this.service.rotate(actor, params.id, body);
    return { ...(await this.shown(actor, row)), token };
  }

  @Endpoint(tokens.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tokens.remove>,
  ): Promise<ResponseOf<typeof tokens.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Token): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
