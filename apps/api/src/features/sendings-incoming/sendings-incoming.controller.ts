import { Controller } from '@nestjs/common';
import { sendingsIncoming, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { IncomingService } from './sendings-incoming.service.ts';

@Controller()
export class SendingsIncomingController {
  constructor(private readonly service: IncomingService) {}

  @Endpoint(sendingsIncoming.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof sendingsIncoming.find>,
  ): Promise<ResponseOf<typeof sendingsIncoming.find>> {
    return this.service.find(actor, query);
  }

  @Endpoint(sendingsIncoming.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendingsIncoming.get>,
  ): Promise<ResponseOf<typeof sendingsIncoming.get>> {
    return this.service.presented(actor.scope, params.id, actor.level);
  }
}
