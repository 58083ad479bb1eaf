import { Controller } from '@nestjs/common';
import { templates, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { draft, present, presentRow, presentVersion, type Template } from './template.entity.ts';
import { TemplatesService } from './templates.service.ts';
import { TemplatesStore } from './templates.store.ts';

@Controller()
export class TemplatesController {
  constructor(
    private readonly service: TemplatesService,
    private readonly store: TemplatesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(templates.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof templates.find>,
  ): Promise<ResponseOf<typeof templates.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentRow(row, actor.level)) };
  }

  @Endpoint(templates.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof templates.get>,
  ): Promise<ResponseOf<typeof templates.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(templates.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof templates.create>,
  ): Promise<ResponseOf<typeof templates.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(templates.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof templates.update>,
  ): Promise<ResponseOf<typeof templates.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(templates.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof templates.remove>,
  ): Promise<ResponseOf<typeof templates.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(templates.apply)
  async apply(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof templates.apply>,
  ): Promise<ResponseOf<typeof templates.apply>> {
    return draft(await this.service.usable(actor, params.id));
  }

  @Endpoint(templates.versions)
  async versions(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof templates.versions>,
  ): Promise<ResponseOf<typeof templates.versions>> {
    return (await this.service.versions(actor, params.id)).map(presentVersion);
  }

  @Endpoint(templates.moderate)
  async moderate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof templates.moderate>,
  ): Promise<ResponseOf<typeof templates.moderate>> {
    return this.shown(actor, await this.service.moderate(actor, params.id, body));
  }

  private async shown(actor: Actor, row: Template): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
