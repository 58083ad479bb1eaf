import { Controller } from '@nestjs/common';
import { routingGroups, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { RoutingGroupsService } from './routing-groups.service.ts';

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
