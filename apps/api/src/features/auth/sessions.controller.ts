import { Controller } from '@nestjs/common';
import { sessions, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SessionsService } from './sessions.service.ts';

@Controller()
export class SessionsController {
  constructor(private readonly service: SessionsService) {}

  @Endpoint(sessions.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof sessions.find>,
  ): Promise<ResponseOf<typeof sessions.find>> {
    return this.service.find(actor, query);
  }

  @Endpoint(sessions.remove)
  async remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sessions.remove>,
  ): Promise<ResponseOf<typeof sessions.remove>> {
    return { ended: await this.service.remove(actor, params.id) };
  }

  @Endpoint(sessions.removeOthers)
  async removeOthers(
    @CurrentActor() actor: Actor,
  ): Promise<ResponseOf<typeof sessions.removeOthers>> {
    return { ended: await this.service.removeOthers(actor) };
  }
}
