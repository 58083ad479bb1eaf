import { Controller } from '@nestjs/common';
import { settings, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, CurrentActor } from '../../core/http/endpoint.ts';
import { SettingsService } from './settings.service.ts';

@Controller()
export class SettingsController {
  constructor(private readonly service: SettingsService) {}

  @Endpoint(settings.get)
  get(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof settings.get>> {
    return this.service.ofActor(actor);
  }
}
