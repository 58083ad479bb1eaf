import { Controller } from '@nestjs/common';
import { messageRuleGroups, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { MessageRuleGroupsService } from './message-rule-groups.service.ts';

@Controller()
export class MessageRuleGroupsController {
  constructor(private readonly service: MessageRuleGroupsService) {}

  @Endpoint(messageRuleGroups.find)
  find(
    @Input() { query }: In<typeof messageRuleGroups.find>,
  ): Promise<ResponseOf<typeof messageRuleGroups.find>> {
    return this.service.find(query);
  }

  @Endpoint(messageRuleGroups.get)
  get(
    @Input() { params }: In<typeof messageRuleGroups.get>,
  ): Promise<ResponseOf<typeof messageRuleGroups.get>> {
    return this.service.get(params.id);
  }

  @Endpoint(messageRuleGroups.create)
  create(
    @Input() { body }: In<typeof messageRuleGroups.create>,
  ): Promise<ResponseOf<typeof messageRuleGroups.create>> {
    return this.service.create(body);
  }

  @Endpoint(messageRuleGroups.update)
  update(
    @Input() { params, body }: In<typeof messageRuleGroups.update>,
  ): Promise<ResponseOf<typeof messageRuleGroups.update>> {
    return this.service.update(params.id, body);
  }

  @Endpoint(messageRuleGroups.remove)
  remove(
    @Input() { params }: In<typeof messageRuleGroups.remove>,
  ): Promise<ResponseOf<typeof messageRuleGroups.remove>> {
    return this.service.remove(params.id);
  }

  @Endpoint(messageRuleGroups.assign)
  assign(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof messageRuleGroups.assign>,
  ): Promise<ResponseOf<typeof messageRuleGroups.assign>> {
    return this.service.assign(actor, params.id, body.ids);
  }
}
