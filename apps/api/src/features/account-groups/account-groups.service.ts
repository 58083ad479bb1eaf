import { Injectable } from '@nestjs/common';
import type {
  GroupRef,
  MessageRuleGroup as MessageRuleGroupOnWire,
  messageRuleGroups,
  Page,
  RoutingGroup as RoutingGroupOnWire,
  routingGroups,
} from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { changesOf } from '../../core/changes.ts';
import { Db } from '../../core/db/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import {
  presentGroup,
  type AccountGroup,
  type MessageRuleGroup,
  type RoutingGroup,
} from './account-group.entity.ts';
import {
  MessageRuleGroupsStore,
  RoutingGroupsStore,
  type AccountGroupsStore,
} from './account-groups.store.ts';

type Routing = In<typeof routingGroups.create>['body'];
type MessageRules = In<typeof messageRuleGroups.create>['body'];
type Query = In<typeof routingGroups.find>['query'];

/** CRUD and assignment of both kinds of groups. */
export abstract class AccountGroupsService<
  E extends AccountGroup,
  Fields extends { title: string },
  Wire,
> {
  protected abstract readonly noun: string;
  protected abstract present(row: E): Wire;
  /** The audited fields. */
  protected abstract audited(row: E): Fields;
  /** Throws if the fields are invalid. */
  protected abstract check(fields: Partial<Fields>): Promise<void>;
  /** The fields after a change. JSON columns are replaced by them. */
  protected merged(before: Fields, changes: Partial<Fields>): Fields {
    return { ...before, ...changes };
  }

  constructor(
    private readonly db: Db,
    private readonly store: AccountGroupsStore<E>,
    private readonly owners: Owners,
    private readonly audit: Audit,
    private readonly events: Events,
  ) {}

  /** References of the groups of an account. */
  async ofOwner(OwnerId: string): Promise<GroupRef[]> {
    return (await this.store.ofOwner(OwnerId)).map(({ id, title }) => ({ id, title }));
  }

  async find(query: Query): Promise<Page<Wire>> {
    const page = await this.store.find(systemScope, query);
    return { ...page, data: page.data.map((row) => this.present(row)) };
  }

  async get(id: string): Promise<Wire> {
    return this.present(await this.store.get(systemScope, id));
  }

  async create(fields: Fields): Promise<Wire> {
    await this.check(fields);
    return this.db.transaction(async () => {
      const row = await this.store.create(this.merged(fields, fields) as never);
      await this.record(row.id, { after: this.audited(row) });
      return this.present(row);
    });
  }

  async update(id: string, changes: Partial<Fields>): Promise<Wire> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(systemScope, id);
      const before = this.audited(row);
      await this.check(changesOf(before, changes));
      const after = this.merged(before, changes);
      await this.store.replace(id, after as never);
      await this.record(id, { before, after });
      return this.get(id);
    });
  }

  async remove(id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(systemScope, id);
      await this.record(id, { before: this.audited(row) });
      return { id };
    });
  }

  /** Replaces the groups of an account. */
  async assign(actor: Actor, OwnerId: string, ids: string[]): Promise<{ data: Wire[] }> {
    if (!(await this.owners.within(actor.scope, OwnerId))) throw notFound();
    return this.db.transaction(async () => {
      const before = { groups: (await this.store.ofOwner(OwnerId)).map((row) => row.title) };
      await this.store.assign(OwnerId, ids);
      const rows = await this.store.ofOwner(OwnerId);
      const after = { groups: rows.map((row) => row.title) };
      await this.audit.record({ OwnerId, target: ['users', OwnerId], before, after });
      this.events.changed('users', 'updated', OwnerId, OwnerId);
      return { data: rows.map((row) => this.present(row)) };
    });
  }

  private record(id: string, states: { before?: object; after?: object }): Promise<void> {
    return this.audit.record({ target: [this.noun, id], ...states });
  }
}

/** Groups with routes that select the channels of their accounts (`ChannelsService.activeChannel`). */
@Injectable()
export class RoutingGroupsService extends AccountGroupsService<
  RoutingGroup,
  Routing,
  RoutingGroupOnWire
> {
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

  protected present(row: RoutingGroup): RoutingGroupOnWire {
    return { ...presentGroup(row), routes: row.routes };
  }

  protected audited({ title, routes }: RoutingGroup): Routing {
    return { title, routes };
  }

  protected async check({ routes = [] }: Partial<Routing>): Promise<void> {
    for (const [i, route] of routes.entries())
      if (!(await this.channels.takes(route)))
        throw invalid(
          `routes.${i}.ChannelId`,
          'unknown',
          `No channel of this name supports ${route.type}.`,
        );
  }
}

/** Groups with rules that apply to their accounts in addition to their own settings (`SettingsService.ofAccount`). */
@Injectable()
export class MessageRuleGroupsService extends AccountGroupsService<
  MessageRuleGroup,
  MessageRules,
  MessageRuleGroupOnWire
> {
  protected readonly noun = 'messageRuleGroups';

  constructor(db: Db, store: MessageRuleGroupsStore, owners: Owners, audit: Audit, events: Events) {
    super(db, store, owners, audit, events);
  }

  protected present(row: MessageRuleGroup): MessageRuleGroupOnWire {
    return { ...presentGroup(row), rules: row.rules };
  }

  protected audited({ title, rules }: MessageRuleGroup): MessageRules {
    return { title, rules };
  }

  protected check(): Promise<void> {
    return Promise.resolve();
  }

  protected override merged(
    before: MessageRules,
    { rules, ...changes }: Partial<MessageRules>,
  ): MessageRules {
    const all = Object.entries({ ...before.rules, ...rules });
    return { ...before, ...changes, rules: Object.fromEntries(all.filter(([, rule]) => rule)) };
  }
}
