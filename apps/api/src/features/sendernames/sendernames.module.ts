import { Module } from '@nestjs/common';
import { ChannelSendernamesModule } from '../channel-sendernames/channel-sendernames.module.ts';
import { SendernamesController } from './sendernames.controller.ts';
import { SendernamesService } from './sendernames.service.ts';
import { SendernamesStore } from './sendernames.store.ts';

@Module({
  imports: [ChannelSendernamesModule],
  controllers: [SendernamesController],
  providers: [SendernamesService, SendernamesStore],
  exports: [SendernamesService],
})
export class SendernamesModule {}
