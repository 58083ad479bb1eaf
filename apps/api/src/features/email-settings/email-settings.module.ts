import { Module } from '@nestjs/common';
import { EmailSettingsController } from './email-settings.controller.ts';
import { EmailSettingsService } from './email-settings.service.ts';
import { EmailSettingsStore } from './email-settings.store.ts';

@Module({
  controllers: [EmailSettingsController],
  providers: [EmailSettingsService, EmailSettingsStore],
  exports: [EmailSettingsService],
})
export class EmailSettingsModule {}
