import { Controller } from '@nestjs/common';
import { automations, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { presentRun } from './automation-run.entity.ts';
import { present, type Automation } from './automation.entity.ts';
import { AutomationsService } from './automations.service.ts';
import { AutomationsStore } from './automations.store.ts';

type Answer = Promise<ResponseOf<typeof automations.get>>;

@Controller()
export class AutomationsController {
  constructor(
    private readonly service: AutomationsService,
    private readonly store: AutomationsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(automations.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof automations.find>,
  ): Promise<ResponseOf<typeof automations.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(automations.get)
  async get(@CurrentActor() actor: Actor, @Input() { params }: In<typeof automations.get>): Answer {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(automations.counts)
  counts(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof automations.counts>,
  ): Promise<ResponseOf<typeof automations.counts>> {
    return this.service.counts(actor, params.id);
  }

  @Endpoint(automations.runs)
  async runs(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof automations.runs>,
  ): Promise<ResponseOf<typeof automations.runs>> {
    const page = await this.service.runs(actor, params.id, query);
    return { ...page, data: page.data.map(presentRun) };
  }

  @Endpoint(automations.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof automations.create>,
  ): Answer {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(automations.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof automations.update>,
  ): Answer {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(automations.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof automations.remove>,
  ): Promise<ResponseOf<typeof automations.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Automation): Answer {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
