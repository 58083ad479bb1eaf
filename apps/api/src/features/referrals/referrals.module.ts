import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { ReferralsController } from './referrals.controller.ts';
import { ReferralsService } from './referrals.service.ts';
import { ReferralsStore } from './referrals.store.ts';
import { ReferredAccountsService } from './referred-accounts.service.ts';
import { ReferredAccountsStore } from './referred-accounts.store.ts';

@Module({
  imports: [BillingsModule, SettingsModule],
  controllers: [ReferralsController],
  providers: [ReferralsService, ReferralsStore, ReferredAccountsService, ReferredAccountsStore],
  exports: [ReferralsService],
})
export class ReferralsModule {}
