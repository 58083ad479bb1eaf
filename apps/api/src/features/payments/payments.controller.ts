import { Controller, Header } from '@nestjs/common';
import { payments, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present } from './payment.entity.ts';
import { PaymentsService } from './payments.service.ts';
import { PaymentsStore } from './payments.store.ts';
import { RefundsService } from './refunds.service.ts';

@Controller()
export class PaymentsController {
  constructor(
    private readonly service: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly store: PaymentsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(payments.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof payments.find>,
  ): Promise<ResponseOf<typeof payments.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(payments.methods)
  methods(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof payments.methods>,
  ): Promise<ResponseOf<typeof payments.methods>> {
    return this.service.methods(actor, query.UserId);
  }

  @Endpoint(payments.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof payments.get>,
  ): Promise<ResponseOf<typeof payments.get>> {
    return this.service.details(actor, params.id);
  }

  @Endpoint(payments.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof payments.create>,
  ): Promise<ResponseOf<typeof payments.create>> {
    const { payment, url } = await this.service.create(actor, body);
    return { id: payment.id, status: payment.status, url };
  }

  @Endpoint(payments.refund)
  async refund(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof payments.refund>,
  ): Promise<ResponseOf<typeof payments.refund>> {
    await this.refunds.request(actor, params.id, body);
    return this.service.details(actor, params.id);
  }

  /** Answered after the commit: an acquirer that gets no answer repeats the notification. */
  @Endpoint(payments.notify)
  @Header('content-type', 'text/plain')
  async notify(
    @Input() { params, body }: In<typeof payments.notify>,
  ): Promise<ResponseOf<typeof payments.notify>> {
    await this.service.notify(params.method, body);
    return 'OK';
  }
}
