import { Injectable } from '@nestjs/common';
import type { ContactsWhere } from '@heliograph/contract';
import { foldText, MAX_TAGS } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { binder } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { Contact } from './contact.entity.ts';
import { CONTACTS_LIST, whereSql, type ContactsQuery as Query, type Reading } from './where-sql.ts';

interface Moved {
  added: number;
  /** Those whose addresses the other list has. */
  existing: number;
}

/** What a contact has in every list. */
const VALUES = 'phone, email, first_name, middle_name, last_name, gender, date, custom, tags';

@Injectable()
export class ContactsStore extends Store<Contact, Query> {
  protected readonly list = CONTACTS_LIST;

  constructor(db: Db) {
    super(db, Contact, 'c', 'l.owner_id');
  }

  /** Another contact of the list with the same address, or undefined. */
  async duplicateOf(contact: Pick<Contact, 'ListId' | 'phone' | 'email'> & { id?: string }) {
    const [row] = await this.db.query<{ id: string }>(
      `select id from contacts
        where list_id = $1 and id is distinct from $4
          and case when $2::text is null then phone is null and email = $3 else phone = $2 end`,
      [contact.ListId, contact.phone, contact.email, contact.id ?? null],
    );
    return row;
  }

  /** The lists of these contacts within the scope, in lock order. */
  async listsOf(scope: AccessScope, ids: string[]): Promise<string[]> {
    const values: unknown[] = [ids];
    const predicate = scopeSql(scope, 'l.owner_id', (v) => `$${values.push(v)}`);
    const rows = await this.db.query<{ id: string }>(
      `select distinct l.id from contacts c join contact_lists l on l.id = c.list_id
        where c.id = any($1) and ${predicate} order by l.id`,
      values,
    );
    return rows.map((row) => row.id);
  }

  /** Deletes contacts of a locked list and returns their ids. */
  async removeFrom(ListId: string, ids: string[]): Promise<string[]> {
    const removed = await this.db.query<{ id: string }>(
      `with gone as (delete from contacts where list_id = $1 and id = any($2) returning id)
       select id from gone`,
      [ListId, ids],
    );
    return removed.map((row) => row.id);
  }

  /** The first contacts by id that a filter finds, at most `limit`. */
  async idsOf(
    scope: AccessScope,
    where: ContactsWhere,
    reading: Reading,
    { after, limit }: { after?: string; limit: number },
  ): Promise<string[]> {
    const rows = this.rows(scope);
    const bind = binder(rows);
    for (const condition of whereSql(where, bind, reading)) rows.andWhere(condition);
    if (after) rows.andWhere(`c.id > ${bind(after)}`);
    const found = await rows
      .select('c.id', 'id')
      .orderBy('c.id')
      .limit(limit)
      .getRawMany<{ id: string }>();
    return found.map(({ id }) => id);
  }

  /** Removes tags from contacts of a locked list and adds others. Those that would have too many stay as they are. */
  async tag(
    ListId: string,
    ids: string[],
    { add, remove }: { add: string[]; remove: string[] },
  ): Promise<{ changed: number; full: string[] }> {
    const [row] = await this.db.query<{ changed: number; full: string[] }>(
      `with wanted as (
         select c.id, c.tags as old,
                array(select tag from unnest(c.tags) with ordinality t(tag, n) where folded(tag) <> all($3) order by n)
                || array(select tag from unnest($4::text[], $5::text[]) with ordinality a(tag, key, n)
                          where key <> all(array(select folded(tag) from unnest(c.tags) tag)) order by n) as tags
           from contacts c where c.list_id = $1 and c.id = any($2)
       ), changed as (
         update contacts c set tags = w.tags, updated_at = now() from wanted w
          where c.id = w.id and w.tags <> w.old and cardinality(w.tags) <= ${MAX_TAGS} returning 1)
       select (select count(*) from changed)::int as changed,
              array(select id from wanted where cardinality(tags) > ${MAX_TAGS}) as full`,
      [ListId, ids, remove.map(foldText), add, add.map(foldText)],
    );
    return row!;
  }

  /**
   * Contacts of a locked list go to another locked list, unless it has their addresses. Those that are moved are inserted with their
   * ids, not updated, so that what waits for new contacts of a list sees them.
   */
  async move(from: string, to: string, ids: string[], copy: boolean): Promise<Moved> {
    const [row] = await this.db.query<Moved>(
      `with chosen as materialized (select * from contacts where list_id = $1 and id = any($3)),
       fresh as materialized (
         select * from chosen w
          where (w.phone is null or not exists (select 1 from contacts c where c.list_id = $2 and c.phone = w.phone))
            and (w.phone is not null or not exists (select 1 from contacts c where c.list_id = $2 and c.phone is null and c.email = w.email))
       ), ${
         copy
           ? `added as (insert into contacts (list_id, ${VALUES}) select $2, ${VALUES} from fresh order by id returning 1)`
           : `gone as (delete from contacts where id in (select id from fresh) returning *),
              added as (insert into contacts (id, list_id, created_at, ${VALUES})
                        select id, $2, created_at, ${VALUES} from gone order by id returning 1)`
       }
       select (select count(*) from added)::int as added,
              (select count(*) from chosen)::int - (select count(*) from added)::int as existing`,
      [from, to, ids],
    );
    return row!;
  }

  /** Adds those that the locked list does not have. Returns how many. */
  addAddresses(ListId: string, addresses: string[]): Promise<number> {
    return this.db.execute(
      `insert into contacts (list_id, phone, email)
       select $1, case when a like '%@%' then null else a end, case when a like '%@%' then a end
         from unnest($2::text[]) with ordinality t(a, n)
        where not exists (select 1 from contacts c where c.list_id = $1 and (c.phone = a or (c.phone is null and c.email = a)))
        order by n`,
      [ListId, [...new Set(addresses)]],
    );
  }

  /** Removes those that the locked list has. Returns how many. */
  removeAddresses(ListId: string, addresses: string[]): Promise<number> {
    return this.db.execute(
      `delete from contacts where list_id = $1 and (phone = any($2) or (phone is null and email = any($2)))`,
      [ListId, addresses],
    );
  }

  protected override rows(scope: AccessScope): SelectQueryBuilder<Contact> {
    return super.rows(scope).innerJoin('contact_lists', 'l', 'l.id = c.list_id');
  }
}
