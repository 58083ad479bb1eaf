import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import {
  MessageRuleGroupsController,
  RoutingGroupsController,
} from './account-groups.controller.ts';
import { MessageRuleGroupsService, RoutingGroupsService } from './account-groups.service.ts';
import { MessageRuleGroupsStore, RoutingGroupsStore } from './account-groups.store.ts';

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
