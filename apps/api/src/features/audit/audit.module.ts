import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.ts';
import { AuditJobs } from './audit.jobs.ts';
import { AuditStore } from './audit.store.ts';

@Module({ controllers: [AuditController], providers: [AuditJobs, AuditStore] })
export class AuditModule {}
