import { Module } from '@nestjs/common';
import { TariffsController } from './tariffs.controller.ts';
import { TariffsService } from './tariffs.service.ts';
import { TariffsStore } from './tariffs.store.ts';

@Module({
  controllers: [TariffsController],
  providers: [TariffsService, TariffsStore],
  exports: [TariffsService],
})
export class TariffsModule {}
