import { Controller } from '@nestjs/common';
import { geocode, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { GeocodeService } from './geocode.service.ts';

@Controller()
export class GeocodeController {
  constructor(private readonly service: GeocodeService) {}

  @Endpoint(geocode.lookup)
  lookup(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof geocode.lookup>,
  ): Promise<ResponseOf<typeof geocode.lookup>> {
    return this.service.locate(actor, body);
  }
}
