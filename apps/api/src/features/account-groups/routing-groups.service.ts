import { Injectable } from '@nestjs/common';
import type { routingGroups, RoutingGroup as Wire } from '@heliograph/contract';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { presentGroup } from './account-group.entity.ts';
import { AccountGroupsService } from './account-groups.service.ts';
import { RoutingGroupsStore } from './account-groups.store.ts';
import type { RoutingGroup } from './routing-group.entity.ts';

type Fields = In<typeof routingGroups.create>['body'];

/** Groups with routes that select the channels of their accounts (`ChannelsService.activeChannel`). */
@Injectable()
export class RoutingGroupsService extends AccountGroupsService<RoutingGroup, Fields, Wire> {
  protected readonly noun = 'routingGroups';

  constructor(
    db: Db,
    store: RoutingGroupsStore,
    owners: Owners,
    audit: Audit,
    events: Events,
    private readonly channels: ChannelsService,
  ) {
    super(db, store, owners, audit, events);
  }

  protected present(row: RoutingGroup): Wire {
    return { ...presentGroup(row), routes: row.routes };
  }

  protected audited({ title, routes }: RoutingGroup): Fields {
    return { title, routes };
  }

  protected async check({ routes = [] }: Partial<Fields>): Promise<void> {
    for (const [i, route] of routes.entries())
      if (!(await this.channels.takes(route)))
        throw invalid(
          `routes.${i}.ChannelId`,
          'unknown',
          `No channel of this name supports ${route.type}.`,
        );
  }
}
