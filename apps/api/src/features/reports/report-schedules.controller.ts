import { Controller, Req } from '@nestjs/common';
import { reportSchedules, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import {
  CurrentActor,
  Endpoint,
  Input,
  type AppRequest,
  type In,
} from '../../core/http/endpoint.ts';
import { localeOf } from '../../core/http/visitor.ts';
import { presentSchedule, type ReportSchedule } from './report-schedule.entity.ts';
import { ReportSchedulesService } from './report-schedules.service.ts';
import { ReportSchedulesStore } from './report-schedules.store.ts';

type Answer = Promise<ResponseOf<typeof reportSchedules.get>>;

@Controller()
export class ReportSchedulesController {
  constructor(
    private readonly service: ReportSchedulesService,
    private readonly store: ReportSchedulesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(reportSchedules.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof reportSchedules.find>,
  ): Promise<ResponseOf<typeof reportSchedules.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentSchedule(row, actor.level)) };
  }

  @Endpoint(reportSchedules.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof reportSchedules.get>,
  ): Answer {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(reportSchedules.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof reportSchedules.create>,
    @Req() request: AppRequest,
  ): Answer {
    const values = { ...body, locale: localeOf(request, body.locale) };
    return this.shown(actor, await this.service.create(actor, values));
  }

  @Endpoint(reportSchedules.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof reportSchedules.update>,
  ): Answer {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(reportSchedules.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof reportSchedules.remove>,
  ): Promise<ResponseOf<typeof reportSchedules.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: ReportSchedule): Answer {
    return presentSchedule(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
