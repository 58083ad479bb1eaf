import { Controller } from '@nestjs/common';
import { billingOperations, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { BillingOperationsService } from './billing-operations.service.ts';
import { BillingOperationsStore } from './billing-operations.store.ts';
import { OperationRowsStore } from './operation-rows.store.ts';

@Controller()
export class BillingOperationsController {
  constructor(
    private readonly service: BillingOperationsService,
    private readonly store: BillingOperationsStore,
    private readonly rowsStore: OperationRowsStore,
  ) {}

  @Endpoint(billingOperations.columns)
  columns(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof billingOperations.columns>,
  ): Promise<ResponseOf<typeof billingOperations.columns>> {
    return this.service.columns(actor, body);
  }

  @Endpoint(billingOperations.create)
  create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof billingOperations.create>,
  ): Promise<ResponseOf<typeof billingOperations.create>> {
    return this.service.preview(actor, body);
  }

  @Endpoint(billingOperations.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof billingOperations.get>,
  ): Promise<ResponseOf<typeof billingOperations.get>> {
    return this.service.get(actor, params.id);
  }

  @Endpoint(billingOperations.rows)
  async rows(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof billingOperations.rows>,
  ): Promise<ResponseOf<typeof billingOperations.rows>> {
    const { id } = await this.store.get(actor.scope, params.id);
    return this.rowsStore.find(id, query);
  }

  @Endpoint(billingOperations.run)
  run(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof billingOperations.run>,
  ): Promise<ResponseOf<typeof billingOperations.run>> {
    return this.service.run(actor, params.id, body);
  }
}
