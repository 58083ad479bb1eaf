import type { GroupRef, Page, routingGroups } from '@heliograph/contract';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import type { Owners } from '../../core/auth/owners.ts';
import type { Audit } from '../../core/audit/audit.ts';
import { changesOf } from '../../core/changes.ts';
import type { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import type { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { AccountGroup } from './account-group.entity.ts';
import type { AccountGroupsStore } from './account-groups.store.ts';

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
