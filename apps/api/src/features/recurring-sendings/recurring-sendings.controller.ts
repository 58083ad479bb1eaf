import { Controller } from '@nestjs/common';
import { recurringSendings, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present, type RecurringSending } from './recurring-sending.entity.ts';
import { RecurringSendingsService } from './recurring-sendings.service.ts';
import { RecurringSendingsStore } from './recurring-sendings.store.ts';

type Answer = Promise<ResponseOf<typeof recurringSendings.get>>;

@Controller()
export class RecurringSendingsController {
  constructor(
    private readonly service: RecurringSendingsService,
    private readonly store: RecurringSendingsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(recurringSendings.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof recurringSendings.find>,
  ): Promise<ResponseOf<typeof recurringSendings.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.presented(actor, page.data) };
  }

  @Endpoint(recurringSendings.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurringSendings.get>,
  ): Answer {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(recurringSendings.next)
  async next(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurringSendings.next>,
  ): Promise<ResponseOf<typeof recurringSendings.next>> {
    return { times: await this.service.next(actor, params.id) };
  }

  @Endpoint(recurringSendings.runs)
  async runs(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurringSendings.runs>,
  ): Promise<ResponseOf<typeof recurringSendings.runs>> {
    return { data: await this.service.runs(actor, params.id) };
  }

  @Endpoint(recurringSendings.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof recurringSendings.create>,
  ): Answer {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(recurringSendings.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof recurringSendings.update>,
  ): Answer {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(recurringSendings.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurringSendings.remove>,
  ): Promise<ResponseOf<typeof recurringSendings.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async presented(actor: Actor, found: RecurringSending[]) {
    const rows = await this.store.withLastRuns(await this.owners.withOwners(actor.level, found));
    return rows.map((row) => present(row, actor.level));
  }

  private async shown(actor: Actor, row: RecurringSending): Answer {
    return (await this.presented(actor, [row]))[0]!;
  }
}
