import { Controller, Req } from '@nestjs/common';
import {
  USER_FIELD_PERMISSIONS,
  users,
  type ResponseOf,
  type User as Wire,
} from '@heliograph/contract';
import type { Request } from 'express';
import {
  isNarrowed,
  readableFields,
  requirePermission,
  type Actor,
} from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { localeOf, visitorOf } from '../../core/http/visitor.ts';
import {
  MessageRuleGroupsService,
  RoutingGroupsService,
} from '../account-groups/account-groups.service.ts';
import { PatternsService } from '../patterns/patterns.service.ts';
import { SendernamesService } from '../sendernames/sendernames.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import type { User } from './user.entity.ts';
import { SuspensionsService } from './suspensions.service.ts';
import { UsersService } from './users.service.ts';
import { UsersStore } from './users.store.ts';

@Controller()
export class UsersController {
  constructor(
    private readonly service: UsersService,
    private readonly store: UsersStore,
    private readonly tariffs: TariffsService,
    private readonly sendernames: SendernamesService,
    private readonly patterns: PatternsService,
    private readonly routing: RoutingGroupsService,
    private readonly rules: MessageRuleGroupsService,
    private readonly suspensions: SuspensionsService,
  ) {}

  @Endpoint(users.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof users.find>,
  ): Promise<ResponseOf<typeof users.find>> {
    if (isNarrowed(actor) && query.order.some(({ field }) => field === 'balance'))
      requirePermission(actor, USER_FIELD_PERMISSIONS.balance);
    const page = await this.service.find(actor, query);
    const isFull = query.scope.includes('full');
    const shown = (row: User) => ({
      ...this.service.present(row, actor.level),
      ...(isFull && { settings: row.settings }),
    });
    return { ...page, data: page.data.map((row) => readable(actor, shown(row))) };
  }

  @Endpoint(users.me)
  me(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof users.me>,
  ): Promise<ResponseOf<typeof users.me>> {
    return this.one(actor, actor.userId, query.scope);
  }

  @Endpoint(users.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof users.get>,
  ): Promise<ResponseOf<typeof users.get>> {
    return this.one(actor, params.id, query.scope);
  }

  @Endpoint(users.update)
  async update(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof users.update>,
  ): Promise<ResponseOf<typeof users.update>> {
    const { locale, ...changes } = body;
    const from = { locale: localeOf(request, locale), visitor: visitorOf(request) };
    const row = await this.service.update(actor, params.id, changes, from);
    return readable(actor, this.service.present(row, actor.level));
  }

  @Endpoint(users.suspend)
  async suspend(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof users.suspend>,
  ): Promise<ResponseOf<typeof users.suspend>> {
    const row = await this.suspensions.suspend(actor, params.id, body.reason);
    return this.service.present(row, actor.level);
  }

  @Endpoint(users.resume)
  async resume(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof users.resume>,
  ): Promise<ResponseOf<typeof users.resume>> {
    return this.service.present(await this.suspensions.resume(actor, params.id), actor.level);
  }

  private async one(
    actor: Actor,
    id: string,
    scope: string[],
  ): Promise<ResponseOf<typeof users.get>> {
    const row = await this.store.get(actor.scope, id);
    const user = this.service.present(row, actor.level);
    return readable(actor, scope.includes('full') ? await this.full(actor, row, user) : user);
  }

  private async full(actor: Actor, row: User, user: Wire): Promise<Wire> {
    const { OwnerId, settings } = row;
    const full = {
      ...user,
      settings,
      Tariffs: await this.tariffs.ofOwner(OwnerId),
      RoutingGroups: await this.routing.ofOwner(OwnerId),
      MessageRuleGroups: await this.rules.ofOwner(OwnerId),
      Patterns: await this.patterns.ofOwner(OwnerId, actor.level),
      Sendernames: await this.sendernames.ofOwner(OwnerId, actor.level),
    };
    if (actor.level === 'me') return full;
    const hasSecondFactor = await this.store.hasSecondFactor(row.id);
    return { ...full, hasSecondFactor, Manager: await this.store.managerOf(row) };
  }
}

function readable(actor: Actor, user: Wire): Wire {
  return { data: {}, ...readableFields(actor, user, USER_FIELD_PERMISSIONS) };
}
