import { Module } from '@nestjs/common';
import { CatalogueService } from './catalogue.service.ts';
import { CatalogueStore } from './catalogue.store.ts';
import { TariffsController } from './tariffs.controller.ts';
import { TariffsService } from './tariffs.service.ts';
import { TariffsStore } from './tariffs.store.ts';

@Module({
  controllers: [TariffsController],
  providers: [CatalogueService, CatalogueStore, TariffsService, TariffsStore],
  exports: [CatalogueService, TariffsService],
})
export class TariffsModule {}
