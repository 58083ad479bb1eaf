import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { AccountReportsService } from './account-reports.service.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { ReportFileService } from './report-file.service.ts';
import { ReportMaker } from './report-maker.ts';
import { ReportRowsStore } from './report-rows.store.ts';
import { ReportStatements } from './report-statements.ts';
import { ReportsController } from './reports.controller.ts';

@Module({
  imports: [BillingsModule, SendingsModule, SettingsModule, StorageModule],
  controllers: [ReportsController],
  providers: [
    AccountReportsService,
    AccountReportsStore,
    ReportFileService,
    ReportMaker,
    ReportRowsStore,
    ReportStatements,
  ],
})
export class ReportsModule {}
