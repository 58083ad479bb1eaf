import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import { MessageRuleGroupsStore, RoutingGroupsStore } from './account-groups.store.ts';
import { MessageRuleGroupsController } from './message-rule-groups.controller.ts';
import { MessageRuleGroupsService } from './message-rule-groups.service.ts';
import { RoutingGroupsController } from './routing-groups.controller.ts';
import { RoutingGroupsService } from './routing-groups.service.ts';

@Module({
  imports: [ChannelsModule],
  controllers: [MessageRuleGroupsController, RoutingGroupsController],
  providers: [
    MessageRuleGroupsService,
    MessageRuleGroupsStore,
    RoutingGroupsService,
    RoutingGroupsStore,
  ],
  exports: [MessageRuleGroupsService, RoutingGroupsService],
})
export class AccountGroupsModule {}
