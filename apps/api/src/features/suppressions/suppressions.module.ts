import { Module } from '@nestjs/common';
import { AutoRepliesModule } from '../auto-replies/auto-replies.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { OptOutSettingsStore } from './opt-out-settings.store.ts';
import { SuppressionsController } from './suppressions.controller.ts';
import { SuppressionsService } from './suppressions.service.ts';
import { SuppressionsStore } from './suppressions.store.ts';
import { UnsubscribeLinksService } from './unsubscribe-links.service.ts';
import { UnsubscribePage } from './unsubscribe-page.ts';

@Module({
  imports: [AutoRepliesModule, SettingsModule],
  controllers: [SuppressionsController],
  providers: [
    OptOutSettingsStore,
    SuppressionsService,
    SuppressionsStore,
    UnsubscribeLinksService,
    UnsubscribePage,
  ],
  exports: [SuppressionsService, UnsubscribeLinksService],
})
export class SuppressionsModule {}
