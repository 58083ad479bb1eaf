import { Module } from '@nestjs/common';
import { SheetFilesService } from './sheet-files.service.ts';
import { StorageController } from './storage.controller.ts';
import { StorageJobs } from './storage.jobs.ts';
import { StorageService } from './storage.service.ts';
import { StorageStore } from './storage.store.ts';
import { Previews } from './previews.ts';
import { Tickets } from './tickets.ts';
import { Uploads } from './uploads.ts';

@Module({
  controllers: [StorageController],
  providers: [
    SheetFilesService,
    StorageService,
    StorageStore,
    StorageJobs,
    Previews,
    Tickets,
    Uploads,
  ],
  exports: [SheetFilesService, StorageService],
})
export class StorageModule {}
