import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.ts';
import { BillingsController } from './billings.controller.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore } from './billings.store.ts';

@Module({
  imports: [SettingsModule],
  controllers: [BillingsController],
  providers: [BillingsService, BillingsStore],
  exports: [BillingsService],
})
export class BillingsModule {}
