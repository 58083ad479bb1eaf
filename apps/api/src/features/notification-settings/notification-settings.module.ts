import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { DocumentsModule } from '../documents/documents.module.ts';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { SettingsUserModule } from '../settings-user/settings-user.module.ts';
import { BalanceLimitsService } from './balance-limits.service.ts';
import { BalanceLimitsStore } from './balance-limits.store.ts';
import { DailyBalanceService } from './daily-balance.service.ts';
import { DailyBalanceStore } from './daily-balance.store.ts';
import { NotificationSettingsController } from './notification-settings.controller.ts';
import { NotificationSettingsService } from './notification-settings.service.ts';
import { NotificationSettingsStore } from './notification-settings.store.ts';
import { PersonalNotificationsService } from './personal-notifications.service.ts';

@Module({
  imports: [
    BillingsModule,
    DocumentsModule,
    NotificationsModule,
    SettingsModule,
    SettingsUserModule,
  ],
  controllers: [NotificationSettingsController],
  providers: [
    BalanceLimitsService,
    BalanceLimitsStore,
    DailyBalanceService,
    DailyBalanceStore,
    NotificationSettingsService,
    NotificationSettingsStore,
    PersonalNotificationsService,
  ],
})
export class NotificationSettingsModule {}
