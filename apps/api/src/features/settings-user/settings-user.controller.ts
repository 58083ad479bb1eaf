import { Controller } from '@nestjs/common';
import { settingsUser, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SettingsUserService } from './settings-user.service.ts';

@Controller()
export class SettingsUserController {
  constructor(private readonly service: SettingsUserService) {}

  @Endpoint(settingsUser.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof settingsUser.get>,
  ): Promise<ResponseOf<typeof settingsUser.get>> {
    return this.service.all(actor, params.accountId);
  }

  @Endpoint(settingsUser.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof settingsUser.update>,
  ): Promise<ResponseOf<typeof settingsUser.update>> {
    return this.service.change(actor, params.accountId, params.key, body);
  }
}
