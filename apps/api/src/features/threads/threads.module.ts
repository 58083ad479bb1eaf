import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SendingsIncomingModule } from '../sendings-incoming/sendings-incoming.module.ts';
import { NotesStore } from './notes.store.ts';
import { ThreadsController } from './threads.controller.ts';
import { ThreadsService } from './threads.service.ts';
import { ThreadsStore } from './threads.store.ts';

@Module({
  imports: [ConversationsModule, SendingsModule, SendingsIncomingModule],
  controllers: [ThreadsController],
  providers: [ThreadsService, ThreadsStore, NotesStore],
})
export class ThreadsModule {}
