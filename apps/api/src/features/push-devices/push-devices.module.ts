import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { PushDevicesController } from './push-devices.controller.ts';
import { PushDevicesService } from './push-devices.service.ts';
import { PushDevicesStore } from './push-devices.store.ts';

@Module({
  imports: [ChannelsModule, SettingsModule],
  controllers: [PushDevicesController],
  providers: [PushDevicesService, PushDevicesStore],
  exports: [PushDevicesService],
})
export class PushDevicesModule {}
