import { Module } from '@nestjs/common';
import { AutomationsModule } from '../automations/automations.module.ts';
import { AutoRepliesModule } from '../auto-replies/auto-replies.module.ts';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { ContactsModule } from '../contacts/contacts.module.ts';
import { ConversationsModule } from '../conversations/conversations.module.ts';
import { SendingsIncomingModule } from '../sendings-incoming/sendings-incoming.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SuppressionsModule } from '../suppressions/suppressions.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { InboundRepliesService } from './inbound-replies.service.ts';
import { InboundRepliesStore } from './inbound-replies.store.ts';
import { InboundRoutingService } from './inbound-routing.service.ts';
import { InboundRulesController } from './inbound-rules.controller.ts';
import { InboundRulesService } from './inbound-rules.service.ts';
import { InboundRulesStore } from './inbound-rules.store.ts';

/** What accounts want to happen to incoming messages. */
@Module({
  imports: [
    AutomationsModule,
    AutoRepliesModule,
    ContactListsModule,
    ContactsModule,
    ConversationsModule,
    SendingsIncomingModule,
    SendingsModule,
    SuppressionsModule,
    WebhooksModule,
  ],
  controllers: [InboundRulesController],
  providers: [
    InboundRepliesService,
    InboundRepliesStore,
    InboundRoutingService,
    InboundRulesService,
    InboundRulesStore,
  ],
})
export class InboundRulesModule {}
