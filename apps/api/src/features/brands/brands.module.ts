import { Module } from '@nestjs/common';
import { BrandsController } from './brands.controller.ts';
import { BrandsService } from './brands.service.ts';
import { BrandsStore } from './brands.store.ts';

@Module({
  controllers: [BrandsController],
  providers: [BrandsService, BrandsStore],
  exports: [BrandsService],
})
export class BrandsModule {}
