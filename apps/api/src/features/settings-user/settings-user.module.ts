import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { SettingsUserController } from './settings-user.controller.ts';
import { SettingsUserService } from './settings-user.service.ts';
import { SettingsUserStore } from './settings-user.store.ts';

@Module({
  imports: [WebhooksModule],
  controllers: [SettingsUserController],
  providers: [SettingsUserService, SettingsUserStore],
  exports: [SettingsUserService],
})
export class SettingsUserModule {}
