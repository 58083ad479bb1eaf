import { Controller } from '@nestjs/common';
import { spendCaps, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SpendCapsService } from './spend-caps.service.ts';

@Controller()
export class SpendCapsController {
  constructor(private readonly caps: SpendCapsService) {}

  @Endpoint(spendCaps.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof spendCaps.find>,
  ): Promise<ResponseOf<typeof spendCaps.find>> {
    return this.caps.find(actor, query.OwnerId ?? actor.OwnerId);
  }

  @Endpoint(spendCaps.set)
  set(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof spendCaps.set>,
  ): Promise<ResponseOf<typeof spendCaps.set>> {
    return this.caps.set(actor, body);
  }
}
