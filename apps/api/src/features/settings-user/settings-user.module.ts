import { Module } from '@nestjs/common';
import { SettingsUserController } from './settings-user.controller.ts';
import { SettingsUserService } from './settings-user.service.ts';
import { SettingsUserStore } from './settings-user.store.ts';

@Module({
  controllers: [SettingsUserController],
  providers: [SettingsUserService, SettingsUserStore],
  exports: [SettingsUserService],
})
export class SettingsUserModule {}
