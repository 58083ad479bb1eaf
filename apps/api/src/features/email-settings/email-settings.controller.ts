import { Controller } from '@nestjs/common';
import { emailSettings, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { EmailSettingsService } from './email-settings.service.ts';

@Controller()
export class EmailSettingsController {
  constructor(private readonly service: EmailSettingsService) {}

  @Endpoint(emailSettings.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof emailSettings.get>,
  ): Promise<ResponseOf<typeof emailSettings.get>> {
    return this.service.get(actor, query.OwnerId);
  }

  @Endpoint(emailSettings.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof emailSettings.update>,
  ): Promise<ResponseOf<typeof emailSettings.update>> {
    return this.service.update(actor, body);
  }
}
