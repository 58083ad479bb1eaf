import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import { ChannelSendernamesController } from './channel-sendernames.controller.ts';
import { ChannelSendernamesService } from './channel-sendernames.service.ts';
import { ChannelSendernamesStore } from './channel-sendernames.store.ts';

@Module({
  imports: [ChannelsModule],
  controllers: [ChannelSendernamesController],
  providers: [ChannelSendernamesService, ChannelSendernamesStore],
  exports: [ChannelSendernamesService],
})
export class ChannelSendernamesModule {}
