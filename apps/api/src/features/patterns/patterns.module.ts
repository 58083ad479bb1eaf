import { Module } from '@nestjs/common';
import { PatternsController } from './patterns.controller.ts';
import { PatternsService } from './patterns.service.ts';
import { PatternsStore } from './patterns.store.ts';

@Module({
  controllers: [PatternsController],
  providers: [PatternsService, PatternsStore],
  exports: [PatternsService],
})
export class PatternsModule {}
