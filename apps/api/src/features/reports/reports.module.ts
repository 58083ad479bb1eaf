import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { BillingsModule } from '../billings/billings.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { AccountReportsService } from './account-reports.service.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { ReportFileService } from './report-file.service.ts';
import { ReportMaker } from './report-maker.ts';
import { ReportRights } from './report-rights.ts';
import { ReportRowsStore } from './report-rows.store.ts';
import { ReportStatements } from './report-statements.ts';
import { ReportScheduler } from './report-scheduler.ts';
import { ReportSchedulesController } from './report-schedules.controller.ts';
import { ReportSchedulesService } from './report-schedules.service.ts';
import { ReportSchedulesStore } from './report-schedules.store.ts';
import { ReportsController } from './reports.controller.ts';

@Module({
  imports: [BrandsModule, BillingsModule, SendingsModule, SettingsModule, StorageModule],
  controllers: [ReportsController, ReportSchedulesController],
  providers: [
    AccountReportsService,
    AccountReportsStore,
    ReportFileService,
    ReportMaker,
    ReportRights,
    ReportRowsStore,
    ReportScheduler,
    ReportSchedulesService,
    ReportSchedulesStore,
    ReportStatements,
  ],
  exports: [ReportSchedulesService],
})
export class ReportsModule {}
