import { Module } from '@nestjs/common';
import { CarrierSignatures } from './carrier-signatures.ts';
import { ChannelsController } from './channels.controller.ts';
import { ChannelsService } from './channels.service.ts';
import { ChannelsStore } from './channels.store.ts';

@Module({
  controllers: [ChannelsController],
  providers: [CarrierSignatures, ChannelsService, ChannelsStore],
  exports: [ChannelsService],
})
export class ChannelsModule {}
