import { Module } from '@nestjs/common';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { Bitrix24Service } from './bitrix24.service.ts';
import { InboundService } from './inbound.service.ts';
import { IntegrationSecrets } from './integration-secrets.ts';
import { IntegrationsController } from './integrations.controller.ts';
import { IntegrationsService } from './integrations.service.ts';
import { IntegrationsStore } from './integrations.store.ts';

@Module({
  imports: [SendingsModule, WebhooksModule],
  controllers: [IntegrationsController],
  providers: [
    IntegrationsService,
    IntegrationsStore,
    IntegrationSecrets,
    InboundService,
    Bitrix24Service,
  ],
})
export class IntegrationsModule {}
