import { Controller } from '@nestjs/common';
import { tariffs, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { ComparisonsService } from './comparisons.service.ts';

@Controller()
export class ComparisonsController {
  constructor(private readonly service: ComparisonsService) {}

  @Endpoint(tariffs.compare)
  compare(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tariffs.compare>,
  ): Promise<ResponseOf<typeof tariffs.compare>> {
    return this.service.create(actor, body);
  }

  @Endpoint(tariffs.comparison)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof tariffs.comparison>,
  ): Promise<ResponseOf<typeof tariffs.comparison>> {
    return this.service.get(actor, params.id, query.OwnerId);
  }
}
