import { Module } from '@nestjs/common';
import { SettingsUserModule } from '../settings-user/settings-user.module.ts';
import { DeliveriesService } from './deliveries.service.ts';
import { DeliveriesStore } from './deliveries.store.ts';
import { DeliveryQueueStore } from './delivery-queue.store.ts';
import { DeliveryService } from './delivery.service.ts';
import { HooksController } from './hooks.controller.ts';
import { IntegrationReportsService } from './integration-reports.service.ts';
import { MessageCallbacks } from './message-callbacks.service.ts';
import { MessageCallbacksStore } from './message-callbacks.store.ts';
import { ReceiverQueues } from './receiver-queues.service.ts';
import { ReceiverQueuesStore } from './receiver-queues.store.ts';
import { WebhookCallsService } from './webhook-calls.service.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { WebhookMetricsStore } from './webhook-metrics.store.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WebhookSettingsService } from './webhook-settings.service.ts';
import { WebhooksController } from './webhooks.controller.ts';
import { WebhooksService } from './webhooks.service.ts';
import { WebhooksStore } from './webhooks.store.ts';

@Module({
  imports: [SettingsUserModule],
  controllers: [WebhooksController, HooksController],
  providers: [
    WebhookMetricsStore,
    WebhooksService,
    WebhooksStore,
    DeliveriesService,
    DeliveriesStore,
    DeliveryService,
    DeliveryQueueStore,
    WebhookCaller,
    WebhookCallsService,
    WebhookSecrets,
    WebhookSettingsService,
    IntegrationReportsService,
    MessageCallbacks,
    MessageCallbacksStore,
    ReceiverQueues,
    ReceiverQueuesStore,
  ],
  exports: [IntegrationReportsService, MessageCallbacks, ReceiverQueues, WebhooksService],
})
export class WebhooksModule {}
