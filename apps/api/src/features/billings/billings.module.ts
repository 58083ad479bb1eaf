import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { BillingsController } from './billings.controller.ts';
import { BillingsService } from './billings.service.ts';
import { BillingsStore } from './billings.store.ts';

@Module({
  imports: [SettingsModule, UsersModule],
  controllers: [BillingsController],
  providers: [BillingsService, BillingsStore],
  exports: [BillingsService],
})
export class BillingsModule {}
