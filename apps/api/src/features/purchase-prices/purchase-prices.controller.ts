import { Controller } from '@nestjs/common';
import { purchasePrices, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { PurchasePricesService } from './purchase-prices.service.ts';

@Controller()
export class PurchasePricesController {
  constructor(private readonly service: PurchasePricesService) {}

  @Endpoint(purchasePrices.find)
  find(
    @Input() { params, query }: In<typeof purchasePrices.find>,
  ): Promise<ResponseOf<typeof purchasePrices.find>> {
    return this.service.find(params.channel, query);
  }

  @Endpoint(purchasePrices.preview)
  preview(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof purchasePrices.preview>,
  ): Promise<ResponseOf<typeof purchasePrices.preview>> {
    return this.service.preview(actor, params.channel, body);
  }

  @Endpoint(purchasePrices.get)
  get(
    @Input() { params }: In<typeof purchasePrices.get>,
  ): Promise<ResponseOf<typeof purchasePrices.get>> {
    return this.service.get(params.channel, params.id);
  }

  @Endpoint(purchasePrices.create)
  create(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof purchasePrices.create>,
  ): Promise<ResponseOf<typeof purchasePrices.create>> {
    return this.service.create(actor, params.channel, body);
  }

  @Endpoint(purchasePrices.remove)
  remove(
    @Input() { params }: In<typeof purchasePrices.remove>,
  ): Promise<ResponseOf<typeof purchasePrices.remove>> {
    return this.service.remove(params.channel, params.id);
  }
}
