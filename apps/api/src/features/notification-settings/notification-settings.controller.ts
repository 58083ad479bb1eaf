import { Controller } from '@nestjs/common';
import { notificationSettings, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { NotificationSettingsService } from './notification-settings.service.ts';

@Controller()
export class NotificationSettingsController {
  constructor(private readonly service: NotificationSettingsService) {}

  @Endpoint(notificationSettings.get)
  get(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof notificationSettings.get>> {
    return this.service.of(actor);
  }

  @Endpoint(notificationSettings.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof notificationSettings.update>,
  ): Promise<ResponseOf<typeof notificationSettings.update>> {
    return this.service.choose(actor, params.type, body);
  }

  @Endpoint(notificationSettings.setLimits)
  setLimits(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof notificationSettings.setLimits>,
  ): Promise<ResponseOf<typeof notificationSettings.setLimits>> {
    return this.service.setLimits(actor, body);
  }

  @Endpoint(notificationSettings.linkTelegram)
  linkTelegram(
    @CurrentActor() actor: Actor,
  ): Promise<ResponseOf<typeof notificationSettings.linkTelegram>> {
    return this.service.linkTelegram(actor);
  }

  @Endpoint(notificationSettings.unlinkTelegram)
  unlinkTelegram(
    @CurrentActor() actor: Actor,
  ): Promise<ResponseOf<typeof notificationSettings.unlinkTelegram>> {
    return this.service.unlinkTelegram(actor);
  }
}
