import { Injectable } from '@nestjs/common';
import type { ContactsWhere, SegmentRules, segments } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Segment } from './segment.entity.ts';
import { memberSql, type Membership } from './member-sql.ts';

type Query = In<typeof segments.find>['query'];

export const SEGMENTS_QUOTA: Quota = {
  name: 'segments',
  limit: (config) => config.QUOTA_LISTS,
  used: countOf('segments'),
};

/** A segment with the regular lists that it reads, by id. */
export interface SegmentInLists extends Pick<Segment, 'id' | 'title' | 'where' | 'activity'> {
  lists: string[];
}

/** Regular lists of the account, or the one that a segment names. */
const LISTS = (OwnerId: string, ListId: string) =>
  `l.owner_id = ${OwnerId} and l.type = 'regular' and (${ListId}::uuid is null or l.id = ${ListId}::uuid)`;

@Injectable()
export class SegmentsStore extends Store<Segment, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 's.createdAt', title: 's.title', updatedAt: 's.updatedAt' },
    filter: { OwnerId: equals('s.owner_id') },
    range: { createdAt: 's.created_at' },
    search: contains('s.title'),
  };

  constructor(db: Db) {
    super(db, Segment, 's');
  }

  /** Title and conditions as a whole; a merge would keep conditions that are no longer wanted. */
  async replace(
    scope: AccessScope,
    { id, title, where, activity }: Pick<Segment, 'id' | 'title' | 'where' | 'activity'>,
  ): Promise<void> {
    const values: unknown[] = [id, title, where, JSON.stringify(activity)];
    const predicate = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    await this.db.query(
      `update segments set title = $2, "where" = $3, activity = $4, updated_at = now() where id = $1 and ${predicate}`,
      values,
    );
  }

  inLists(OwnerId: string, ids: string[]): Promise<SegmentInLists[]> {
    return this.db.query<SegmentInLists>(
      `select s.id, s.title, s."where", s.activity,
              array(select l.id from contact_lists l where ${LISTS('s.owner_id', `(s."where"->>'ListId')`)} order by l.id) as lists
         from segments s where s.owner_id = $1 and s.id = any($2)`,
      [OwnerId, ids],
    );
  }

  /** Contacts that the conditions on contacts leave; without any, by the counters of the lists. */
  async contactsIn(OwnerId: string, where: ContactsWhere, membership: Membership): Promise<number> {
    const { ListId, ...others } = where;
    if (Object.keys(others).length) {
      const { contacts } = await this.members(OwnerId, { where, activity: [] }, membership, 1);
      return contacts;
    }
    const [row] = await this.db.query<{ n: number }>(
      `select coalesce(sum(l.count), 0)::int as n from contact_lists l where ${LISTS('$1', '$2')}`,
      [OwnerId, ListId ?? null],
    );
    return row!.n;
  }

  /** Of one in `one` contacts that the conditions on contacts leave: how many they are, and the members among them. */
  async members(
    OwnerId: string,
    { where: { ListId, ...where }, activity }: SegmentRules,
    membership: Membership,
    one: number,
  ): Promise<{ contacts: number; members: number }> {
    const values: unknown[] = [OwnerId, ListId ?? null];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const left = memberSql({ where, activity: [] }, membership, bind);
    const isMember = ['true', ...memberSql({ where: {}, activity }, membership, bind)];
    const sampled = (id: string) => `hashtextextended(${id}::text, 0) % ${bind(one)} = 0`;
    const conditions = ['c.list_id = l.id', ...left];
    if (one > 1)
      conditions.push(
        left.length
          ? sampled('c.id')
          : // An index by ids has them; without it the planner would look at each contact of the list.
            `c.id = any(array(select x.id from contacts x where x.list_id = l.id and ${sampled('x.id')}))`,
      );
    // By list, so that the index of tags, which has the list in it, is used.
    const [row] = await this.db.queryUnprepared<{ contacts: number; members: number }>(
      `select coalesce(sum(s.contacts), 0)::int as contacts, coalesce(sum(s.members), 0)::int as members
         from contact_lists l cross join lateral (
           select count(*) as contacts, count(*) filter (where ${isMember.join(' and ')}) as members
             from contacts c where ${conditions.join(' and ')}) s
        where ${LISTS('$1', '$2')}`,
      values,
    );
    return row!;
  }
}
