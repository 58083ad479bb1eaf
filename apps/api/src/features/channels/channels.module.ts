import { Module } from '@nestjs/common';
import { ChannelsController } from './channels.controller.ts';
import { ChannelsService } from './channels.service.ts';
import { ChannelsStore } from './channels.store.ts';

@Module({
  controllers: [ChannelsController],
  providers: [ChannelsService, ChannelsStore],
  exports: [ChannelsService],
})
export class ChannelsModule {}
