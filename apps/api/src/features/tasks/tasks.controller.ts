import { Controller } from '@nestjs/common';
import { tasks, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { TaskFiguresStore } from './task-figures.store.ts';
import { TasksService } from './tasks.service.ts';
import { presentTask } from './task.row.ts';
import { TasksStore } from './tasks.store.ts';

@Controller()
export class TasksController {
  constructor(
    private readonly service: TasksService,
    private readonly store: TasksStore,
    private readonly owners: Owners,
    private readonly figures: TaskFiguresStore,
  ) {}

  @Endpoint(tasks.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof tasks.find>,
  ): Promise<ResponseOf<typeof tasks.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentTask(row, actor.level)) };
  }

  @Endpoint(tasks.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.get>,
  ): Promise<ResponseOf<typeof tasks.get>> {
    return this.service.get(actor, params.id);
  }

  @Endpoint(tasks.errors)
  async errors(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.errors>,
  ): Promise<ResponseOf<typeof tasks.errors>> {
    const { id } = await this.store.get(actor.scope, params.id);
    return this.figures.errors(id);
  }

  @Endpoint(tasks.unsent)
  async unsent(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.unsent>,
  ): Promise<ResponseOf<typeof tasks.unsent>> {
    const { id } = await this.store.get(actor.scope, params.id);
    return this.figures.unsent(id);
  }

  @Endpoint(tasks.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof tasks.update>,
  ): Promise<ResponseOf<typeof tasks.update>> {
    return this.service.update(actor, params.id, body);
  }

  @Endpoint(tasks.cancel)
  cancel(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.cancel>,
  ): Promise<ResponseOf<typeof tasks.cancel>> {
    return this.service.cancel(actor, params.id);
  }

  @Endpoint(tasks.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.remove>,
  ): Promise<ResponseOf<typeof tasks.remove>> {
    return this.service.remove(actor, params.id);
  }
}
