import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.ts';
import { RequisitesController } from './requisites.controller.ts';
import { RequisitesService } from './requisites.service.ts';
import { RequisitesStore } from './requisites.store.ts';

@Module({
  imports: [StorageModule],
  controllers: [RequisitesController],
  providers: [RequisitesService, RequisitesStore],
  exports: [RequisitesService],
})
export class RequisitesModule {}
