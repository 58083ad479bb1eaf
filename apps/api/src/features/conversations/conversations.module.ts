import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.ts';
import { ConversationsController } from './conversations.controller.ts';
import { ConversationsService } from './conversations.service.ts';
import { ConversationsStore } from './conversations.store.ts';

@Module({
  imports: [SettingsModule],
  controllers: [ConversationsController],
  providers: [ConversationsService, ConversationsStore],
  exports: [ConversationsService],
})
export class ConversationsModule {}
