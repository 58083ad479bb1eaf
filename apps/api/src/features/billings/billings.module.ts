import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { BalancesStore } from './balances.store.ts';
import { BillingsController } from './billings.controller.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore } from './billings.store.ts';
import { CallChargesStore } from './call-charges.store.ts';
import { ChargesService } from './charges.service.ts';
import { EntriesStore } from './entries.store.ts';
import { FreeCreditsService } from './free-credits.service.ts';
import { FreeCreditsStore } from './free-credits.store.ts';
import { ManualEntriesService } from './manual-entries.service.ts';
import { PackageEndingsService } from './package-endings.service.ts';
import { PackageUnitsStore } from './package-units.store.ts';
import { SettlementsService } from './settlements.service.ts';
import { SettlementsStore } from './settlements.store.ts';
import { SpendCapsController } from './spend-caps.controller.ts';
import { SpendCapsService } from './spend-caps.service.ts';
import { SpendCapsStore } from './spend-caps.store.ts';
import { TariffVolumesStore } from './tariff-volumes.store.ts';

@Module({
  imports: [SettingsModule, UsersModule],
  controllers: [BillingsController, SpendCapsController],
  providers: [
    BalancesStore,
    BillingsService,
    BillingsStore,
    CallChargesStore,
    ChargesService,
    EntriesStore,
    FreeCreditsService,
    FreeCreditsStore,
    ManualEntriesService,
    PackageEndingsService,
    PackageUnitsStore,
    SettlementsService,
    SettlementsStore,
    SpendCapsService,
    SpendCapsStore,
    TariffVolumesStore,
  ],
  exports: [
    BillingsService,
    ChargesService,
    FreeCreditsService,
    SettlementsService,
    SpendCapsService,
  ],
})
export class BillingsModule {}
