import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { PurchasePricesController } from './purchase-prices.controller.ts';
import { PurchasePricesService } from './purchase-prices.service.ts';
import { PurchasePricesStore } from './purchase-prices.store.ts';

@Module({
  imports: [ChannelsModule, StorageModule],
  controllers: [PurchasePricesController],
  providers: [PurchasePricesService, PurchasePricesStore],
  exports: [PurchasePricesService],
})
export class PurchasePricesModule {}
