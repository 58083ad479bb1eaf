import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { NotificationDelivery } from './notification-delivery.service.ts';
import { NotificationQueueStore } from './notification-queue.store.ts';
import { NotificationsController } from './notifications.controller.ts';
import { NotificationsStore } from './notifications.store.ts';
import { TelegramBotService } from './telegram/telegram-bot.service.ts';
import { TelegramClient } from './telegram/telegram-client.ts';
import { TelegramHost } from './telegram/telegram-host.service.ts';
import { TelegramService } from './telegram/telegram.service.ts';
import { TelegramStore } from './telegram/telegram.store.ts';

@Module({
  imports: [BrandsModule],
  controllers: [NotificationsController],
  providers: [
    NotificationDelivery,
    NotificationQueueStore,
    NotificationsStore,
    TelegramBotService,
    TelegramClient,
    TelegramHost,
    TelegramService,
    TelegramStore,
  ],
  exports: [TelegramService],
})
export class NotificationsModule {}
