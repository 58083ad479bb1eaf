import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { CallbacksService } from './callbacks.service.ts';
import { CallbacksStore } from './callbacks.store.ts';
import { CallsService } from './calls.service.ts';
import { CompatibleApis } from './compatible-apis.ts';
import { KannelApi } from './kannel.ts';
import { SentStore } from './sent.store.ts';
import { SmscApi } from './smsc.ts';
import { SmsruApi } from './smsru.ts';
import { TwilioApi } from './twilio.ts';

/** Messages of programs that speak the API of another service. */
@Module({
  imports: [BillingsModule, SendingsModule, SettingsModule, WebhooksModule],
  providers: [
    CallbacksService,
    CallbacksStore,
    CallsService,
    CompatibleApis,
    KannelApi,
    SentStore,
    SmscApi,
    SmsruApi,
    TwilioApi,
  ],
})
export class CompatibleModule {}
