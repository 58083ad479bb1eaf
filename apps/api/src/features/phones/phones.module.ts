import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { BillingsModule } from '../billings/billings.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { PhonesController } from './phones.controller.ts';
import { PhonesService } from './phones.service.ts';
import { PhonesStore } from './phones.store.ts';

@Module({
  imports: [BrandsModule, BillingsModule, SendingsModule],
  controllers: [PhonesController],
  providers: [PhonesService, PhonesStore],
})
export class PhonesModule {}
