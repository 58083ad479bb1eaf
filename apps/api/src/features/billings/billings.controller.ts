import { Controller } from '@nestjs/common';
import { billings, type Answer } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, Who, type In } from '../../core/http/endpoint.ts';
import { present, type Billing } from './billing.entity.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore } from './billings.store.ts';

const shownTo = (actor: Actor) => (row: Billing) =>
  present(row, actor.level === 'manager' || row.createdBy === actor.userId);

@Controller()
export class BillingsController {
  constructor(
    private readonly service: BillingsService,
    private readonly store: BillingsStore,
  ) {}

  @Endpoint(billings.find)
  async find(
    @Who() actor: Actor,
    @Input() { query }: In<typeof billings.find>,
  ): Promise<Answer<typeof billings.find>> {
    const page = await this.store.find(actor.reach, query);
    return { ...page, data: page.data.map(shownTo(actor)) };
  }

  @Endpoint(billings.balance)
  async balance(
    @Who() actor: Actor,
    @Input() { params }: In<typeof billings.balance>,
  ): Promise<Answer<typeof billings.balance>> {
    const row = await this.store.balance(actor.reach, params.id);
    const balance = Number(row.balance);
    return { result: balance, balance, overdraft: Number(row.overdraft) };
  }

  @Endpoint(billings.get)
  async get(
    @Who() actor: Actor,
    @Input() { params }: In<typeof billings.get>,
  ): Promise<Answer<typeof billings.get>> {
    return shownTo(actor)(await this.store.get(actor.reach, params.id));
  }

  @Endpoint(billings.create)
  async create(
    @Who() actor: Actor,
    @Input() { body }: In<typeof billings.create>,
  ): Promise<Answer<typeof billings.create>> {
    return shownTo(actor)(await this.service.create(actor, body));
  }
}
