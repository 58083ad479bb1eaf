import { Injectable } from '@nestjs/common';
import type { contactLists } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, sumOf, type Quota } from '../../core/quotas.ts';
import { ContactList } from './contact-list.entity.ts';

type Query = In<typeof contactLists.find>['query'];

export const LISTS_QUOTA: Quota = {
  name: 'contactLists',
  limit: (config) => config.QUOTA_LISTS,
  used: countOf('contact_lists'),
};

export const CONTACTS_QUOTA: Quota = {
  name: 'contacts',
  limit: (config) => config.QUOTA_CONTACTS,
  used: sumOf('count', 'contact_lists'),
};

@Injectable()
export class ContactListsStore extends Store<ContactList, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'l.createdAt', title: 'l.title', updatedAt: 'l.updatedAt' },
    filter: {
      id: equals('l.id'),
      type: equals('l.type'),
      isActive: equals('l.is_active'),
      OwnerId: equals('l.owner_id'),
    },
    range: { createdAt: 'l.created_at' },
    search: contains('l.title'),
  };

  constructor(db: Db) {
    super(db, ContactList, 'l');
  }

  async count(scope: AccessScope, id: string, delta: number): Promise<void> {
    const values: unknown[] = [id, delta];
    const predicate = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    await this.db.query(
      `update contact_lists set count = count + $2, updated_at = now() where id = $1 and ${predicate}`,
      values,
    );
  }

  /** Unfinished tasks that have not yet read the list, as audience or as exclusion. */
  async readers(id: string): Promise<{ id: string; title: string }[]> {
    return this.db.query(
      `select id, title from tasks
        where state in ('scheduled', 'running', 'paused') and not is_expanded
          and (audience @> jsonb_build_array(jsonb_build_object('list', $1::text))
            or data @> jsonb_build_object('recipients',
                 jsonb_build_object('exclude', jsonb_build_object('lists', jsonb_build_array($1::text)))))
        limit 10`,
      [id],
    );
  }
}
