import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { IncomingQueueStore } from './incoming-queue.store.ts';
import { SendingsIncomingController } from './sendings-incoming.controller.ts';
import { IncomingService } from './sendings-incoming.service.ts';
import { IncomingStore } from './sendings-incoming.store.ts';

@Module({
  imports: [ConversationsModule, SettingsModule],
  controllers: [SendingsIncomingController],
  providers: [IncomingQueueStore, IncomingService, IncomingStore],
  exports: [IncomingService],
})
export class SendingsIncomingModule {}
