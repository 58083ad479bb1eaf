import { Controller } from '@nestjs/common';
import { quietHours, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { QuietHoursService } from './quiet-hours.service.ts';

@Controller()
export class QuietHoursController {
  constructor(private readonly service: QuietHoursService) {}

  @Endpoint(quietHours.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof quietHours.get>,
  ): Promise<ResponseOf<typeof quietHours.get>> {
    return this.service.get(actor, query.OwnerId);
  }

  @Endpoint(quietHours.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof quietHours.update>,
  ): Promise<ResponseOf<typeof quietHours.update>> {
    return this.service.update(actor, body);
  }
}
