import { Module } from '@nestjs/common';
import { ChannelSendernamesModule } from '../channel-sendernames/channel-sendernames.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { RoutesController } from './routes.controller.ts';
import { RoutesService } from './routes.service.ts';
import { RoutesStore } from './routes.store.ts';
import { ShareShiftsController } from './share-shifts.controller.ts';
import { ShareShiftsService } from './share-shifts.service.ts';
import { ShareShiftsStore } from './share-shifts.store.ts';

@Module({
  imports: [ChannelsModule, ChannelSendernamesModule],
  controllers: [RoutesController, ShareShiftsController],
  providers: [RoutesService, RoutesStore, ShareShiftsService, ShareShiftsStore],
  exports: [RoutesService],
})
export class RoutesModule {}
