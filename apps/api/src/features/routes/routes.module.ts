import { Module } from '@nestjs/common';
import { ChannelSendernamesModule } from '../channel-sendernames/channel-sendernames.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { RoutesController } from './routes.controller.ts';
import { RoutesService } from './routes.service.ts';
import { RoutesStore } from './routes.store.ts';

@Module({
  imports: [ChannelsModule, ChannelSendernamesModule],
  controllers: [RoutesController],
  providers: [RoutesService, RoutesStore],
  exports: [RoutesService],
})
export class RoutesModule {}
