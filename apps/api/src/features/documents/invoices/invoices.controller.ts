import { Controller, Req } from '@nestjs/common';
import { invoices, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { localeOf } from '../../../core/http/visitor.ts';
import { present, type Invoice } from './invoice.entity.ts';
import { InvoicesService } from './invoices.service.ts';
import { InvoicesStore } from './invoices.store.ts';

@Controller()
export class InvoicesController {
  constructor(
    private readonly service: InvoicesService,
    private readonly store: InvoicesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(invoices.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof invoices.find>,
  ): Promise<ResponseOf<typeof invoices.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(invoices.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof invoices.get>,
  ): Promise<ResponseOf<typeof invoices.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(invoices.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof invoices.create>,
  ): Promise<ResponseOf<typeof invoices.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(invoices.document)
  document(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof invoices.document>,
  ): Promise<ResponseOf<typeof invoices.document>> {
    return this.service.document(actor, params.id);
  }

  @Endpoint(invoices.pay)
  async pay(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof invoices.pay>,
  ): Promise<ResponseOf<typeof invoices.pay>> {
    return this.shown(actor, await this.service.pay(actor, params.id));
  }

  @Endpoint(invoices.reject)
  async reject(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof invoices.reject>,
  ): Promise<ResponseOf<typeof invoices.reject>> {
    return this.shown(actor, await this.service.reject(actor, params.id, body.reason));
  }

  @Endpoint(invoices.send)
  async send(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof invoices.send>,
  ): Promise<ResponseOf<typeof invoices.send>> {
    const locale = localeOf(request);
    return this.shown(actor, await this.service.send(actor, params.id, body.to, locale));
  }

  private async shown(actor: Actor, row: Invoice): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
