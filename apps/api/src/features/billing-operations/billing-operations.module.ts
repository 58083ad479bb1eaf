import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { BillingOperationsController } from './billing-operations.controller.ts';
import { BillingOperationsService } from './billing-operations.service.ts';
import { BillingOperationsStore } from './billing-operations.store.ts';
import { OperationReport } from './operation-report.ts';
import { OperationRowsStore } from './operation-rows.store.ts';
import { OperationWorker } from './operation-worker.ts';

@Module({
  imports: [BillingsModule, SettingsModule, StorageModule, TasksModule],
  controllers: [BillingOperationsController],
  providers: [
    BillingOperationsService,
    BillingOperationsStore,
    OperationRowsStore,
    OperationReport,
    OperationWorker,
  ],
})
export class BillingOperationsModule {}
