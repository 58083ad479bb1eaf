import { Controller } from '@nestjs/common';
import { lookups, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { LookupsService } from './lookups.service.ts';

@Controller()
export class LookupsController {
  constructor(private readonly service: LookupsService) {}

  @Endpoint(lookups.companies)
  async companies(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof lookups.companies>,
  ): Promise<ResponseOf<typeof lookups.companies>> {
    return { suggestions: await this.service.companies(actor, body.query) };
  }

  @Endpoint(lookups.banks)
  async banks(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof lookups.banks>,
  ): Promise<ResponseOf<typeof lookups.banks>> {
    return { suggestions: await this.service.banks(actor, body.query) };
  }

  @Endpoint(lookups.names)
  names(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof lookups.names>,
  ): Promise<ResponseOf<typeof lookups.names>> {
    return this.service.name(actor, body.query);
  }
}
