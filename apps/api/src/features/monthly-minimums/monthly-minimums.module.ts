import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { MonthlyFeesService } from './monthly-fees.service.ts';
import { MonthlyMinimumsController } from './monthly-minimums.controller.ts';
import { MonthlyMinimumsService } from './monthly-minimums.service.ts';
import { MonthlyMinimumsStore } from './monthly-minimums.store.ts';

@Module({
  imports: [BillingsModule, SettingsModule],
  controllers: [MonthlyMinimumsController],
  providers: [MonthlyFeesService, MonthlyMinimumsService, MonthlyMinimumsStore],
  exports: [MonthlyMinimumsService],
})
export class MonthlyMinimumsModule {}
