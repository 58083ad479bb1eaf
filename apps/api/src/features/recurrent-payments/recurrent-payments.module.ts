import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { RecurrentChargesService } from './recurrent-charges.service.ts';
import { RecurrentPaymentsController } from './recurrent-payments.controller.ts';
import { RecurrentPaymentsService } from './recurrent-payments.service.ts';
import { RecurrentPaymentsStore } from './recurrent-payments.store.ts';

@Module({
  imports: [PaymentsModule, SettingsModule, TasksModule],
  controllers: [RecurrentPaymentsController],
  providers: [RecurrentChargesService, RecurrentPaymentsService, RecurrentPaymentsStore],
  exports: [RecurrentPaymentsService],
})
export class RecurrentPaymentsModule {}
