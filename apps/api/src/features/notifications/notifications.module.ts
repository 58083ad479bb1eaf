import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller.ts';
import { NotificationsStore } from './notifications.store.ts';

@Module({ controllers: [NotificationsController], providers: [NotificationsStore] })
export class NotificationsModule {}
