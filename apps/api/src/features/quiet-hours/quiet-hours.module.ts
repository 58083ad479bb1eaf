import { Module } from '@nestjs/common';
import { QuietHoursController } from './quiet-hours.controller.ts';
import { QuietHoursService } from './quiet-hours.service.ts';
import { QuietHoursStore } from './quiet-hours.store.ts';

@Module({
  controllers: [QuietHoursController],
  providers: [QuietHoursService, QuietHoursStore],
  exports: [QuietHoursService],
})
export class QuietHoursModule {}
