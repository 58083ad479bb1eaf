import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { GatewayHost } from './gateway-host.service.ts';
import { GatewaysService } from './gateways.service.ts';
import { SimulatedPhonesStore } from './simulated-phones.store.ts';
import { WapiController } from './wapi.controller.ts';
import { WapiGatewayStore } from './wapi-gateway.store.ts';
import { WapiLinksService } from './wapi-links.service.ts';
import { WapiRenewalsService } from './wapi-renewals.service.ts';
import { WapiSenderService } from './wapi-sender.service.ts';
import { WapiService } from './wapi.service.ts';
import { WapiStore } from './wapi.store.ts';
import { WapiWebhooksService } from './wapi-webhooks.service.ts';
import { WapiWorkerService } from './wapi-worker.service.ts';

@Module({
  imports: [BillingsModule, ChannelsModule, SendingsModule, SettingsModule, TariffsModule],
  controllers: [WapiController],
  providers: [
    GatewayHost,
    GatewaysService,
    SimulatedPhonesStore,
    WapiGatewayStore,
    WapiLinksService,
    WapiRenewalsService,
    WapiSenderService,
    WapiService,
    WapiStore,
    WapiWebhooksService,
    WapiWorkerService,
  ],
  exports: [WapiService],
})
export class WapiModule {}
