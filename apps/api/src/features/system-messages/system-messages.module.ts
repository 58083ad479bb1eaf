import { Module } from '@nestjs/common';
import { BroadcastsService } from './broadcasts.service.ts';
import { BroadcastsStore } from './broadcasts.store.ts';
import { SystemMessagesController } from './system-messages.controller.ts';
import { SystemMessagesService } from './system-messages.service.ts';
import { SystemMessagesStore } from './system-messages.store.ts';
import { TariffDigestsStore } from './tariff-digests.store.ts';

@Module({
  controllers: [SystemMessagesController],
  providers: [
    BroadcastsService,
    BroadcastsStore,
    SystemMessagesService,
    SystemMessagesStore,
    TariffDigestsStore,
  ],
})
export class SystemMessagesModule {}
