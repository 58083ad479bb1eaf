import { Controller, Req } from '@nestjs/common';
import { reports, type ResponseOf } from '@heliograph/contract';
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
import { AccountReportsService } from './account-reports.service.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { present, type Report } from './report.entity.ts';

@Controller()
export class ReportsController {
  constructor(
    private readonly service: AccountReportsService,
    private readonly store: AccountReportsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(reports.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof reports.find>,
    @Req() request: AppRequest,
  ): Promise<ResponseOf<typeof reports.find>> {
    if (query.filter.$preset)
      return (await this.service.online(actor, query, localeOf(request))) as never;
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(reports.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof reports.get>,
  ): Promise<ResponseOf<typeof reports.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(reports.create)
  create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof reports.create>,
    @Req() request: AppRequest,
  ): Promise<ResponseOf<typeof reports.create>> {
    return this.service.create(actor, { ...body, locale: localeOf(request, body.locale) });
  }

  @Endpoint(reports.cancel)
  async cancel(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof reports.cancel>,
  ): Promise<ResponseOf<typeof reports.cancel>> {
    return this.shown(actor, await this.service.cancel(actor, params.id));
  }

  @Endpoint(reports.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof reports.remove>,
  ): Promise<ResponseOf<typeof reports.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: Report): Promise<ResponseOf<typeof reports.get>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
