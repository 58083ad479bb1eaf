import { Module } from '@nestjs/common';
import { AutomationsModule } from '../automations/automations.module.ts';
import { MonthlyMinimumsModule } from '../monthly-minimums/monthly-minimums.module.ts';
import { RecurrentPaymentsModule } from '../recurrent-payments/recurrent-payments.module.ts';
import { RecurringSendingsModule } from '../recurring-sendings/recurring-sendings.module.ts';
import { ReportsModule } from '../reports/reports.module.ts';
import { WapiModule } from '../wapi/wapi.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { BillingsModule } from '../billings/billings.module.ts';
import { RecoveryModule } from '../recovery/recovery.module.ts';
import { SendernamesModule } from '../sendernames/sendernames.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { AccountChangeFilesService } from './account-change-files.service.ts';
import { AccountChangesService } from './account-changes.service.ts';
import { AccountsController } from './accounts.controller.ts';
import { AccountsService } from './accounts.service.ts';
import { AccountsStore } from './accounts.store.ts';
import { BoundsService } from './bounds.service.ts';
import { ClosingsService } from './closings.service.ts';
import { ClosingsStore } from './closings.store.ts';
import { NewAccountsService } from './new-accounts.service.ts';

/** Accounts as those who run them create and configure them. */
@Module({
  imports: [
    AutomationsModule,
    MonthlyMinimumsModule,
    RecurrentPaymentsModule,
    RecurringSendingsModule,
    ReportsModule,
    WapiModule,
    WebhooksModule,
    BillingsModule,
    RecoveryModule,
    SendernamesModule,
    SettingsModule,
    StorageModule,
    TariffsModule,
    UsersModule,
  ],
  controllers: [AccountsController],
  providers: [
    AccountChangeFilesService,
    AccountChangesService,
    AccountsService,
    AccountsStore,
    BoundsService,
    ClosingsService,
    ClosingsStore,
    NewAccountsService,
  ],
})
export class AccountsModule {}
