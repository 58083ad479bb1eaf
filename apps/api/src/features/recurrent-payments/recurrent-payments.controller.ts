import { Controller } from '@nestjs/common';
import { recurrentPayments, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present, type RecurrentPayment } from './recurrent-payment.entity.ts';
import { RecurrentPaymentsService } from './recurrent-payments.service.ts';
import { RecurrentPaymentsStore } from './recurrent-payments.store.ts';

@Controller()
export class RecurrentPaymentsController {
  constructor(
    private readonly service: RecurrentPaymentsService,
    private readonly store: RecurrentPaymentsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(recurrentPayments.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof recurrentPayments.find>,
  ): Promise<ResponseOf<typeof recurrentPayments.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(recurrentPayments.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurrentPayments.get>,
  ): Promise<ResponseOf<typeof recurrentPayments.get>> {
    return this.service.details(actor, params.id);
  }

  @Endpoint(recurrentPayments.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof recurrentPayments.create>,
  ): Promise<ResponseOf<typeof recurrentPayments.create>> {
    const { row, url } = await this.service.create(actor, body);
    return { ...(await this.shown(actor, row)), url };
  }

  @Endpoint(recurrentPayments.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof recurrentPayments.update>,
  ): Promise<ResponseOf<typeof recurrentPayments.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body.status));
  }

  @Endpoint(recurrentPayments.reInit)
  reInit(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof recurrentPayments.reInit>,
  ): Promise<ResponseOf<typeof recurrentPayments.reInit>> {
    return this.service.reInit(actor, params.id, query.method);
  }

  @Endpoint(recurrentPayments.confirm)
  confirm(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof recurrentPayments.confirm>,
  ): Promise<ResponseOf<typeof recurrentPayments.confirm>> {
    return this.service.reInit(actor, params.id, body.method);
  }

  @Endpoint(recurrentPayments.block)
  async block(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof recurrentPayments.block>,
  ): Promise<ResponseOf<typeof recurrentPayments.block>> {
    return this.shown(actor, await this.service.block(actor, params.id, body.isBlocked));
  }

  @Endpoint(recurrentPayments.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof recurrentPayments.remove>,
  ): Promise<ResponseOf<typeof recurrentPayments.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: RecurrentPayment): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
