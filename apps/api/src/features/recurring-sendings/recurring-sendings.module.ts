import { Module } from '@nestjs/common';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { RecurringScheduler } from './recurring-scheduler.ts';
import { RecurringSendingsController } from './recurring-sendings.controller.ts';
import { RecurringSendingsService } from './recurring-sendings.service.ts';
import { RecurringSendingsStore } from './recurring-sendings.store.ts';

@Module({
  imports: [SendingsModule],
  controllers: [RecurringSendingsController],
  providers: [RecurringScheduler, RecurringSendingsService, RecurringSendingsStore],
  exports: [RecurringSendingsService],
})
export class RecurringSendingsModule {}
