import { Controller } from '@nestjs/common';
import { companies, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { AppError } from '../../../core/errors.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { CompaniesService } from './companies.service.ts';
import { CompaniesStore } from './companies.store.ts';
import { present, type CompanyRow } from './company.entity.ts';

@Controller()
export class CompaniesController {
  constructor(
    private readonly service: CompaniesService,
    private readonly store: CompaniesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(companies.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof companies.find>,
  ): Promise<ResponseOf<typeof companies.find>> {
    const { customerId } = query.filter;
    if (customerId && !(await this.owners.within(actor.scope, customerId)))
      throw new AppError('not_found', undefined, { foreignAccount: customerId });
    const page = await this.store.findWithTypes(actor.scope, query);
    const data = await Promise.all(page.data.map((row) => this.shown(actor, row)));
    return { ...page, data };
  }

  @Endpoint(companies.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof companies.get>,
  ): Promise<ResponseOf<typeof companies.get>> {
    return this.shown(actor, await this.store.getWithTypes(actor.scope, params.id));
  }

  @Endpoint(companies.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof companies.create>,
  ): Promise<ResponseOf<typeof companies.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(companies.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof companies.update>,
  ): Promise<ResponseOf<typeof companies.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(companies.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof companies.remove>,
  ): Promise<ResponseOf<typeof companies.remove>> {
    return this.service.remove(actor, params.id);
  }

  /** The owner's name is shown to those who may see that account. */
  private async shown(actor: Actor, row: CompanyRow): Promise<ReturnType<typeof present>> {
    const { OwnerId } = row;
    const isVisible = OwnerId && (await this.owners.within(actor.scope, OwnerId));
    const Owner = isVisible
      ? (await this.owners.withOwner(actor.level, { OwnerId })).Owner
      : undefined;
    return present(Object.assign(row, { Owner }), actor.level);
  }
}
