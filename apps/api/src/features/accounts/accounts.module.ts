import { Module } from '@nestjs/common';
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
import { NewAccountsService } from './new-accounts.service.ts';

/** Accounts as those who run them create and configure them. */
@Module({
  imports: [
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
    NewAccountsService,
  ],
})
export class AccountsModule {}
