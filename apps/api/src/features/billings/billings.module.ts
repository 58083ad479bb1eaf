import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { BalancesStore } from './balances.store.ts';
import { BillingsController } from './billings.controller.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore } from './billings.store.ts';
import { EntriesStore } from './entries.store.ts';
import { ManualEntriesService } from './manual-entries.service.ts';
import { SpendCapsController } from './spend-caps.controller.ts';
import { SpendCapsService } from './spend-caps.service.ts';
import { SpendCapsStore } from './spend-caps.store.ts';

@Module({
  imports: [SettingsModule, UsersModule],
  controllers: [BillingsController, SpendCapsController],
  providers: [
    BalancesStore,
    BillingsService,
    BillingsStore,
    EntriesStore,
    ManualEntriesService,
    SpendCapsService,
    SpendCapsStore,
  ],
  exports: [BillingsService],
})
export class BillingsModule {}
