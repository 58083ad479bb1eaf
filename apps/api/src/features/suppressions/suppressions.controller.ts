import { Controller } from '@nestjs/common';
import { suppressions, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { present } from './suppression.entity.ts';
import { SuppressionsService } from './suppressions.service.ts';
import { SuppressionsStore } from './suppressions.store.ts';

@Controller()
export class SuppressionsController {
  constructor(
    private readonly service: SuppressionsService,
    private readonly store: SuppressionsStore,
    private readonly owners: Owners,
    private readonly settings: SettingsService,
  ) {}

  @Endpoint(suppressions.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof suppressions.find>,
  ): Promise<ResponseOf<typeof suppressions.find>> {
    const country = await this.settings.countryOf(query.filter.OwnerId ?? actor.OwnerId);
    const page = await this.store.find(actor.scope, query, country);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(suppressions.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof suppressions.create>,
  ): Promise<ResponseOf<typeof suppressions.create>> {
    const row = await this.service.create(actor, body);
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }

  @Endpoint(suppressions.import)
  import(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof suppressions.import>,
  ): Promise<ResponseOf<typeof suppressions.import>> {
    return this.service.import(actor, body);
  }

  @Endpoint(suppressions.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof suppressions.remove>,
  ): Promise<ResponseOf<typeof suppressions.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(suppressions.settings)
  getSettings(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof suppressions.settings>,
  ): Promise<ResponseOf<typeof suppressions.settings>> {
    return this.service.settingsOf(actor, query.OwnerId);
  }

  @Endpoint(suppressions.configure)
  configure(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof suppressions.configure>,
  ): Promise<ResponseOf<typeof suppressions.configure>> {
    return this.service.configure(actor, body);
  }
}
