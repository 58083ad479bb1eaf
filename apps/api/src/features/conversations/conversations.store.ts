import { Injectable } from '@nestjs/common';
import type {
  ConversationState,
  conversations,
  ConversationUser,
  Page,
} from '@heliograph/contract';
import { foldText, normalizePhone, typeCode } from '@heliograph/domain';
import {
  grantsSql,
  isActiveSql,
  scopeSql,
  type AccessScope,
  type Actor,
  type Holder,
} from '../../core/auth/actor.ts';
import { userNameSql } from '../../core/auth/owners.ts';
import { byOwner } from '../../core/db/by-owner.ts';
import { Db } from '../../core/db/db.ts';
import { conditions, equals, findIds, type Bind, type ListSql } from '../../core/db/find-page.ts';
import { incomingWith, phonePrefix } from '../../core/db/search.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { ConversationRow, Person } from './conversation.ts';

type Query = In<typeof conversations.find>['query'];

/** Characters of the last message in the list. */
const EXTRACT_LENGTH = 200;
/** Messages among which a text is searched for, the last ones with it. */
const MAX_FOUND_MESSAGES = 1000;
/** Messages of a person that say to which channels the person writes, the last ones. */
const MAX_CHANNEL_MESSAGES = 100;
const MAX_CHANNELS = 10;
/** Conversations with labels that tell which labels an account has, the last ones. */
const MAX_LABELLED = 1000;
const MAX_KNOWN_LABELS = 100;
/** Rows that one statement marks as read. */
const READ_BATCH_SIZE = 10_000;

const COLUMNS = `c.id, c.owner_id as "OwnerId", c.address, c.state, c.unread, c.last_id as "lastId", c.is_last_incoming as "isLastIncoming", c.labels,
  case when a.id is not null then jsonb_build_object('id', a.id, 'name', ${userNameSql('a')}) end as "Assignee",
  c.type, c.sender, nullif(left(coalesce(i.payload->>'text', s.body), ${EXTRACT_LENGTH}), '') as text,
  case when i.payload ? 'image' then 'image' when i.payload ? 'file' then 'file' end as attachment,
  uuid_extract_timestamp(c.id) as "createdAt", uuid_extract_timestamp(c.last_id) as "lastMessageAt"`;
const WITH_OTHERS = `left join sendings_incoming i on c.is_last_incoming and i.id = c.last_id
  left join sendings s on not c.is_last_incoming and s.id = c.last_id
  left join users a on a.id = c.assignee_id`;

/** Ids of messages grow with time, so `last_id` is the order of the list. */
const LIST: ListSql<
  Omit<Query, 'filter' | 'search'> & {
    filter: Omit<Query['filter'], 'OwnerId' | 'assigned' | 'label'>;
  }
> = {
  order: { lastMessageAt: 'c.last_id' },
  cursor: 'c.last_id',
  filter: {
    state: equals('c.state'),
    type: (types, bind) => equals('c.type')(types.map(typeCode), bind),
  },
  range: {},
};

/** The keys of an index, which holds only conversations with labels. */
const LABELS = `c.labels <> '{}' and contact_tags(c.owner_id, c.labels)`;

@Injectable()
export class ConversationsStore {
  constructor(private readonly db: Db) {}

  async find(
    { scope, userId }: Pick<Actor, 'scope' | 'userId'>,
    query: Query,
    country: string,
  ): Promise<Page<ConversationRow>> {
    const { search, ...listed } = query;
    const { OwnerId, assigned, label, ...filter } = query.filter;
    const text = search && !isDigits(search) ? search : undefined;
    const isFound = filter.state || filter.type || assigned || label || search;
    const along = (text && !label) || (scope.kind === 'all' && !isFound) ? 'rows' : 'owners';
    const column = text ? 'i.owner_id' : 'c.owner_id';
    const { page, ...numbers } = await findIds(this.db, query, (bind, take) => {
      const rows = conditions(LIST, { ...listed, filter }, bind);
      if (assigned === 'me') rows.push(equals('c.assignee_id')(userId, bind));
      if (assigned === 'nobody') rows.push('c.assignee_id is null');
      if (label) {
        const owner =
          scope.kind === 'own' ? bind(scope.OwnerId) : OwnerId ? bind(OwnerId) : 'o.id::text';
        rows.push(`${LABELS} @> array[${owner} || ' ' || ${bind(foldText(label))}]`);
      }
      if (search && !text) rows.push(startsWith(search, bind, country));
      return byOwner({ scope, OwnerId, column, along }, bind, (within) => {
        const where = (owner: string) => [owner, ...rows].join(' and ');
        const order = `order by c.last_id ${query.order[0]!.direction} limit ${take}`;
        return text
          ? `(select c.last_id as id from (${writersSql(text, within, bind)}) f
                join conversations c on c.owner_id = f.owner_id and c.address = f."from" where ${where('true')} ${order})`
          : `(select c.last_id as id from conversations c where ${where(within)} ${order})`;
      });
    });
    const rows = await this.rows(scope, 'c.last_id = any($1)', page);
    const byLast = new Map(rows.map((row) => [row.lastId, row]));
    return { data: page.flatMap((id) => byLast.get(id) ?? []), ...numbers };
  }

  async get(scope: AccessScope, id: string): Promise<ConversationRow> {
    const [row] = await this.byIds(scope, [id]);
    if (!row) throw notFound();
    return row;
  }

  byIds(scope: AccessScope, ids: string[]): Promise<ConversationRow[]> {
    return this.rows(scope, 'c.id = any($1)', ids);
  }

  /** Locks the row until the transaction ends: its messages are recorded one after the other. */
  async lock(scope: AccessScope, id: string): Promise<ConversationRow> {
    const values: unknown[] = [id];
    const within = scopeSql(scope, 'c.owner_id', (v) => `$${values.push(v)}`);
    await this.db.query(
      `select 1 from conversations c where c.id = $1 and ${within} for update`,
      values,
    );
    return this.get(scope, id);
  }

  /** The first name that a contact list of the account has for each person. Persons without one are left out. */
  async namesOf(persons: readonly Person[]): Promise<(Person & { name: string })[]> {
    if (!persons.length) return [];
    const address = (column: 'phone' | 'email') =>
      `select k.last_name, k.first_name from contact_lists l join contacts k on k.list_id = l.id and k.${column} = p.address
        where l.owner_id = p.owner_id and l.type = 'regular'`;
    return this.db.query(
      `select p.owner_id as "OwnerId", p.address, n.name
         from unnest($1::uuid[], $2::text[]) as p(owner_id, address)
        cross join lateral (
          select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) as name
            from (${address('phone')} union all ${address('email')}) k
           where coalesce(nullif(k.first_name, ''), nullif(k.last_name, '')) is not null limit 1) n`,
      [persons.map((p) => p.OwnerId), persons.map((p) => p.address)],
    );
  }

  /** The types and names to which the person wrote, the last first. */
  channelsOf({ OwnerId, address }: Person): Promise<{ type: number; sender: string }[]> {
    return this.db.query(
      `select type, sender from (
         select type, "to" as sender, id from sendings_incoming where owner_id = $1 and "from" = $2
          order by id desc limit ${MAX_CHANNEL_MESSAGES}) i
        group by type, sender order by max(id::text) desc limit ${MAX_CHANNELS}`,
      [OwnerId, address],
    );
  }

  async optOutsOf({ OwnerId, address }: Person): Promise<number[]> {
    const rows = await this.db.query<{ type: number }>(
      `select type from suppressions where owner_id = $1 and address = $2 order by type`,
      [OwnerId, address],
    );
    return rows.map(({ type }) => type);
  }

  /**
   * Adds incoming messages to the conversations with their persons, or begins them with `id`. One that does not wait for an answer
   * leaves the state, and begins a closed conversation. The type and the sender are those of the last message of a person.
   */
  received(
    messages: (Person & {
      id: string;
      messageId: string;
      type: number;
      sender: string;
      waits: boolean;
    })[],
  ): Promise<{ id: string; OwnerId: string; isNew: boolean }[]> {
    const column = (value: (message: (typeof messages)[number]) => unknown) => messages.map(value);
    return this.db.query(
      `insert into conversations as c (id, owner_id, address, state, unread, last_id, is_last_incoming, type, sender)
       select min(id::text)::uuid, owner_id, address, case when bool_or(waits) then 'waiting' else 'closed' end, count(*), max(message_id::text)::uuid, true,
              (array_agg(type order by n desc))[1], (array_agg(sender order by n desc))[1]
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::smallint[], $6::text[], $7::boolean[]) with ordinality
           as m(id, owner_id, address, message_id, type, sender, waits, n)
        group by owner_id, address order by owner_id, address
       on conflict (owner_id, address) do update set unread = c.unread + excluded.unread,
         state = case when excluded.state = 'waiting' then 'waiting' else c.state end,
         last_id = greatest(c.last_id, excluded.last_id), is_last_incoming = c.is_last_incoming or excluded.last_id > c.last_id,
         type = excluded.type, sender = excluded.sender
       returning id, owner_id as "OwnerId", id = any($1) as "isNew"`,
      [
        column((m) => m.id),
        column((m) => m.OwnerId),
        column((m) => m.address),
        column((m) => m.messageId),
        column((m) => m.type),
        column((m) => m.sender),
        column((m) => m.waits),
      ],
    );
  }

  /** Later incoming messages than `seen` still wait for an answer. The row is locked. */
  async replied(id: string, replyId: string, seen: string | null): Promise<void> {
    await this.db.query(
      `update conversations set last_id = greatest(last_id, $2), is_last_incoming = is_last_incoming and last_id > $2,
              state = case when is_last_incoming and last_id > $3 then state else 'answered' end,
              unread = case when is_last_incoming and last_id > $3 then unread else 0 end
        where id = $1`,
      [id, replyId, seen],
    );
  }

  setState(id: string, state: ConversationState): Promise<number> {
    return this.db.execute(
      `update conversations set state = $2, unread = case when $2 = 'closed' then 0 else unread end
        where id = $1 and state <> $2`,
      [id, state],
    );
  }

  /**
   * The active users of an account with what says whether they may read its conversations, or one of them, who is locked against changes
   * until the transaction ends. The holder comes first.
   */
  usersOf(OwnerId: string, id: string | null): Promise<(Holder & ConversationUser)[]> {
    return this.db.query(
      `select u.id, u.id as "userId", u.owner_id as "OwnerId", u.level, u.role, ${grantsSql('u')} as grants, ${userNameSql('u')} as name
         from users u
        where u.owner_id = $1 and u.removed_at is null and ${isActiveSql('u')} ${id ? 'and u.id = $2' : ''}
        order by u.id = u.owner_id desc, name, u.id ${id ? 'for share of u' : ''}`,
      id ? [OwnerId, id] : [OwnerId],
    );
  }

  setAssignee(id: string, AssigneeId: string | null): Promise<number> {
    return this.db.execute(
      `update conversations set assignee_id = $2 where id = $1 and assignee_id is distinct from $2`,
      [id, AssigneeId],
    );
  }

  setLabels(id: string, labels: string[]): Promise<number> {
    return this.db.execute(`update conversations set labels = $2 where id = $1 and labels <> $2`, [
      id,
      labels,
    ]);
  }

  /** The most frequent first; one as it is written most. */
  async labelsOf(scope: AccessScope, OwnerId: string): Promise<string[]> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    const rows = await this.db.query<{ label: string }>(
      `select mode() within group (order by label) as label from (
         select labels from conversations where owner_id = $1 and ${within} and labels <> '{}'
          order by last_id desc limit ${MAX_LABELLED}) c cross join unnest(labels) label
        group by folded(label) order by count(*) desc, 1 limit ${MAX_KNOWN_LABELS}`,
      values,
    );
    return rows.map(({ label }) => label);
  }

  /** Takes from a user what was assigned to it, one by one and so not many. */
  release(OwnerId: string, AssigneeId: string): Promise<{ id: string }[]> {
    return this.db.query(
      `update conversations set assignee_id = null where owner_id = $1 and assignee_id = $2 returning id`,
      [OwnerId, AssigneeId],
    );
  }

  /** Messages after `seen` stay unread. */
  markRead(id: string, seen: string | null): Promise<number> {
    return this.db.execute(
      `update conversations set unread = 0 where id = $1 and unread > 0 and ($2::uuid is null or not is_last_incoming or last_id <= $2)`,
      [id, seen],
    );
  }

  /** Up to ten thousand. */
  async markAllRead(OwnerId: string): Promise<{ read: number; hasMore: boolean }> {
    const read = await this.db.execute(
      `update conversations set unread = 0 where id in (
         select id from conversations where owner_id = $1 and unread > 0 order by id limit ${READ_BATCH_SIZE} for update)`,
      [OwnerId],
    );
    return { read, hasMore: read === READ_BATCH_SIZE };
  }

  /** Those that did not wait before. */
  markWaiting(OwnerId: string, addresses: string[]): Promise<{ id: string }[]> {
    return this.db.query(
      `update conversations set state = 'waiting' where owner_id = $1 and address = any($2) and state <> 'waiting' returning id`,
      [OwnerId, addresses],
    );
  }

  private rows(
    scope: AccessScope,
    condition: string,
    ids: readonly string[],
  ): Promise<ConversationRow[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 'c.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<ConversationRow>(
      `select ${COLUMNS} from conversations c ${WITH_OTHERS} where ${condition} and ${within}`,
      values,
    );
  }
}

const isDigits = (text: string) => /^[+\d\s()-]+$/.test(text);

/** A complete phone by equality, a part by prefix. */
function startsWith(text: string, bind: Bind, country: string): string {
  const phone = normalizePhone(text, country);
  return phone ? `c.address = ${bind(phone)}` : phonePrefix('c.address', text, bind);
}

/** Persons whose address or text contains `text`, from the last messages with it. */
function writersSql(text: string, within: string, bind: Bind): string {
  return `select distinct m.owner_id, m."from" from (
    select i.owner_id, i."from" from sendings_incoming i
     where ${within} and ${incomingWith(text, bind)}
     order by i.id desc limit ${MAX_FOUND_MESSAGES}) m`;
}
