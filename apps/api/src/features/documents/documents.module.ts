import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { BillingsModule } from '../billings/billings.module.ts';
import { ReferralsModule } from '../referrals/referrals.module.ts';
import { RequisitesModule } from '../requisites/requisites.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { CompaniesController } from './companies/companies.controller.ts';
import { CompaniesService } from './companies/companies.service.ts';
import { CompaniesStore } from './companies/companies.store.ts';
import { ContractsController } from './contracts/contracts.controller.ts';
import { ContractsService } from './contracts/contracts.service.ts';
import { ContractsStore } from './contracts/contracts.store.ts';
import { ActsService } from './invoices/acts.service.ts';
import { ActsStore } from './invoices/acts.store.ts';
import { DocumentsService } from './invoices/documents.service.ts';
import { GenerateController } from './invoices/generate.controller.ts';
import { GenerateService } from './invoices/generate.service.ts';
import { InvoiceEmailsService } from './invoices/invoice-emails.service.ts';
import { InvoicesController } from './invoices/invoices.controller.ts';
import { InvoicesService } from './invoices/invoices.service.ts';
import { InvoicesStore } from './invoices/invoices.store.ts';
import { IssueService } from './invoices/issue.service.ts';
import { DocumentTemplatesController } from './templates/document-templates.controller.ts';
import { DocumentTemplatesService } from './templates/document-templates.service.ts';
import { DocumentTemplatesStore } from './templates/document-templates.store.ts';

@Module({
  imports: [
    BrandsModule,
    BillingsModule,
    ReferralsModule,
    RequisitesModule,
    SettingsModule,
    StorageModule,
  ],
  // `documentTemplates/generate` is registered before `documentTemplates/:id`.
  controllers: [
    CompaniesController,
    ContractsController,
    GenerateController,
    DocumentTemplatesController,
    InvoicesController,
  ],
  providers: [
    ActsService,
    ActsStore,
    CompaniesService,
    CompaniesStore,
    ContractsService,
    ContractsStore,
    DocumentsService,
    DocumentTemplatesService,
    DocumentTemplatesStore,
    GenerateService,
    InvoiceEmailsService,
    InvoicesService,
    InvoicesStore,
    IssueService,
  ],
  exports: [InvoicesService],
})
export class DocumentsModule {}
