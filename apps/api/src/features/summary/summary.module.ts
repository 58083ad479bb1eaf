import { Module } from '@nestjs/common';
import { SummaryController } from './summary.controller.ts';
import { SummaryService } from './summary.service.ts';
import { SummaryStore } from './summary.store.ts';

@Module({ controllers: [SummaryController], providers: [SummaryService, SummaryStore] })
export class SummaryModule {}
