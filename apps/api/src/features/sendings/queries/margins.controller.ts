import { Controller } from '@nestjs/common';
import { margins, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { MarginsService } from './margins.service.ts';

@Controller()
export class MarginsController {
  constructor(private readonly service: MarginsService) {}

  @Endpoint(margins.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof margins.get>,
  ): Promise<ResponseOf<typeof margins.get>> {
    return this.service.get(actor, query);
  }
}
