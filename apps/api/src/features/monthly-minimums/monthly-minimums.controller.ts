import { Controller } from '@nestjs/common';
import { monthlyMinimums, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { MonthlyMinimumsService } from './monthly-minimums.service.ts';

@Controller()
export class MonthlyMinimumsController {
  constructor(private readonly minimums: MonthlyMinimumsService) {}

  @Endpoint(monthlyMinimums.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof monthlyMinimums.get>,
  ): Promise<ResponseOf<typeof monthlyMinimums.get>> {
    return this.minimums.find(actor, query.OwnerId ?? actor.OwnerId);
  }

  @Endpoint(monthlyMinimums.set)
  set(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof monthlyMinimums.set>,
  ): Promise<ResponseOf<typeof monthlyMinimums.set>> {
    return this.minimums.set(actor, params.id, body.minimum);
  }
}
