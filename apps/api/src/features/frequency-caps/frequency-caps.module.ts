import { Module } from '@nestjs/common';
import { FrequencyCapsController } from './frequency-caps.controller.ts';
import { FrequencyCapsService } from './frequency-caps.service.ts';
import { FrequencyCapsStore } from './frequency-caps.store.ts';

@Module({
  controllers: [FrequencyCapsController],
  providers: [FrequencyCapsService, FrequencyCapsStore],
  exports: [FrequencyCapsService],
})
export class FrequencyCapsModule {}
