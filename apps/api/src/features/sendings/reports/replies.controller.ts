import { Controller } from '@nestjs/common';
import { sendingsIncoming, type ResponseOf } from '@heliograph/contract';
import { systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../../core/http/endpoint.ts';
import { IncomingService } from '../../sendings-incoming/sendings-incoming.service.ts';
import { RepliesService } from './replies.service.ts';

/** An incoming message that an integrator adds to its own account. */
@Controller()
export class RepliesController {
  constructor(
    private readonly replies: RepliesService,
    private readonly incoming: IncomingService,
  ) {}

  @Endpoint(sendingsIncoming.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof sendingsIncoming.create>,
  ): Promise<ResponseOf<typeof sendingsIncoming.create>> {
    const id = await this.replies.add(actor, body);
    return this.incoming.presented(systemScope, id, actor.level);
  }
}
