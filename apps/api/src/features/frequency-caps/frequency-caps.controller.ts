import { Controller } from '@nestjs/common';
import { frequencyCap, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { FrequencyCapsService } from './frequency-caps.service.ts';

@Controller()
export class FrequencyCapsController {
  constructor(private readonly service: FrequencyCapsService) {}

  @Endpoint(frequencyCap.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof frequencyCap.get>,
  ): Promise<ResponseOf<typeof frequencyCap.get>> {
    return this.service.get(actor, query.OwnerId);
  }

  @Endpoint(frequencyCap.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof frequencyCap.update>,
  ): Promise<ResponseOf<typeof frequencyCap.update>> {
    return this.service.update(actor, body);
  }
}
