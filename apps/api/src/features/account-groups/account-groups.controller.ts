import { Controller } from '@nestjs/common';
import { messageRuleGroups, routingGroups, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { MessageRuleGroupsService, RoutingGroupsService } from './account-groups.service.ts';

@Controller()
export class RoutingGroupsController {
  constructor(private readonly service: RoutingGroupsService) {}

  @Endpoint(routingGroups.find)
  find(
    @Input() { query }: In<typeof routingGroups.find>,
  ): Promise<ResponseOf<typeof routingGroups.find>> {
    return this.service.find(query);
  }

  @Endpoint(routingGroups.get)
  get(
    @Input() { params }: In<typeof routingGroups.get>,
  ): Promise<ResponseOf<typeof routingGroups.get>> {
    return this.service.get(params.id);
  }

  @Endpoint(routingGroups.create)
  create(
    @Input() { body }: In<typeof routingGroups.create>,
  ): Promise<ResponseOf<typeof routingGroups.create>> {
    return this.service.create(body);
  }

  @Endpoint(routingGroups.update)
  update(
    @Input() { params, body }: In<typeof routingGroups.update>,
  ): Promise<ResponseOf<typeof routingGroups.update>> {
    return this.service.update(params.id, body);
  }

  @Endpoint(routingGroups.remove)
  remove(
    @Input() { params }: In<typeof routingGroups.remove>,
  ): Promise<ResponseOf<typeof routingGroups.remove>> {
    return this.service.remove(params.id);
  }

  @Endpoint(routingGroups.assign)
  assign(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof routingGroups.assign>,
  ): Promise<ResponseOf<typeof routingGroups.assign>> {
    return this.service.assign(actor, params.id, body.ids);
  }
}

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
