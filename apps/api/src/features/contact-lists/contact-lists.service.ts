import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { contactLists } from '@heliograph/contract';
import { ownScope, systemScope, type Actor, type AccessScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, assertFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { present, type ContactList } from './contact-list.entity.ts';
import { CONTACTS_QUOTA, ContactListsStore, LISTS_QUOTA } from './contact-lists.store.ts';

export type { ContactList } from './contact-list.entity.ts';

type Input = In<typeof contactLists.create>['body'];
type Changes = In<typeof contactLists.update>['body'];

@Injectable()
export class ContactListsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly store: ContactListsStore,
    private readonly events: Events,
    private readonly quotas: Quotas,
  ) {}

  onModuleInit(): void {
    this.events.present('contactLists', (ids) => this.store.byIds(systemScope, ids), present);
  }

  create(actor: Actor, { title, type, isActive }: Input): Promise<ContactList> {
    return this.db.transaction(async () => {
      const { id } = await this.store.create({ OwnerId: actor.OwnerId, title, type, isActive });
      await this.quotas.check(LISTS_QUOTA, actor.OwnerId);
      this.events.changed('contactLists', 'created', actor.OwnerId, id);
      return this.store.get(ownScope(actor.OwnerId), id);
    });
  }

  update(actor: Actor, id: string, changes: Changes): Promise<ContactList> {
    return this.db.transaction(async () => {
      const row = await this.store.update(actor.scope, id, changes);
      this.events.changed('contactLists', 'updated', row.OwnerId, id);
      return row;
    });
  }

  /** Deletes the list with its contacts, unless an unfinished task still reads it. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      await this.store.lock(actor.scope, id);
      await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
      const tasks = await this.store.readers(id);
      if (tasks.length)
        throw new AppError('in_use', 'The list is used by an unfinished task', {
          payload: { tasks },
        });
      const row = await this.store.remove(actor.scope, id);
      this.events.changed('contactLists', 'removed', row.OwnerId, id);
      if (row.count) this.events.counted('contacts', 'removed', row.OwnerId, id, row.count);
      return { id };
    });
  }

  get(scope: AccessScope, id: string): Promise<ContactList> {
    return this.store.get(scope, id);
  }

  /** Throws `not_found` for ids outside the access scope. */
  async require(scope: AccessScope, ids: string[]): Promise<void> {
    if (!ids.length) return;
    assertFound('Contact list', ids, await this.store.byIds(scope, ids));
  }

  /**
   * Locks the list until the transaction ends. All writers of contacts take this lock first, so they are serialised, and a
   * task that starts meanwhile waits for them.
   */
  lock(scope: AccessScope, id: string): Promise<ContactList> {
    return this.store.lock(scope, id);
  }

  /** The same; null if there is no such list. */
  async lockIfExists(scope: AccessScope, id: string): Promise<ContactList | null> {
    const [row] = await this.store.byIds(scope, [id]);
    return row ? this.store.lock(scope, id) : null;
  }

  /** Contacts that the account may still add; null without a limit. */
  async room(OwnerId: string): Promise<number | null> {
    const { used, limit } = await this.quotas.usage(CONTACTS_QUOTA, OwnerId);
    return limit && Math.max(0, limit - used);
  }

  /** Updates the counter of a locked list by `delta` and checks the quota, unless the account has no more contacts than before. */
  async counted({ id, OwnerId }: ContactList, delta: number, areNew = delta > 0): Promise<void> {
    await this.store.count(ownScope(OwnerId), id, delta);
    if (areNew) await this.quotas.check(CONTACTS_QUOTA, OwnerId);
    this.events.changed('contactLists', 'updated', OwnerId, id);
  }
}
