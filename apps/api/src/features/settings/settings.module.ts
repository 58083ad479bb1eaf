import { Module } from '@nestjs/common';
import { SettingsController } from './settings.controller.ts';
import { SettingsService } from './settings.service.ts';
import { SettingsStore } from './settings.store.ts';

@Module({
  controllers: [SettingsController],
  providers: [SettingsService, SettingsStore],
  exports: [SettingsService],
})
export class SettingsModule {}
