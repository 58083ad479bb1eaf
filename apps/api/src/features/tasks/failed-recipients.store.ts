import { Injectable } from '@nestjs/common';
import { OUTCOME_CODES } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** The bulk whose failed recipients are meant, and how they are to be reached now. */
export interface FailedOf {
  taskId: string;
  /** The contact field that holds an address of the new type. */
  field: 'phone' | 'email';
  /** Types of which a person may have opted out: the new one, and those of the bulk. As stored. */
  types: number[];
}

/** Recipients that failed and have an address, and how many others are left out, by the reason. */
export interface FailedCounts {
  count: number;
  skipped: Record<'unsubscribed' | 'reached' | 'noAddress', number>;
}

export interface FailedRecipients extends FailedCounts {
  /** The first of them, parallel. */
  addresses: string[];
  contacts: (string | null)[];
}

/** Codes of carriers and of our own for people who do not want the messages. */
const OPTED_OUT = `'unsubscribed', 'blacklisted'`;

/** A bulk, those it was sent again with, those these were sent again with, and so on. By the id of one of them. */
const FAMILY = (id: string) => `
  with recursive origins as (
    select id, origin_id from tasks where id = ${id}
    union all select t.id, t.origin_id from tasks t join origins o on t.id = o.origin_id),
  family as (
    select id from origins where origin_id is null
    union all select t.id from tasks t join family f on t.origin_id = f.id)`;

/**
 * Failed recipients of the bulk $1, each with the address for the field $2. Left out are people who have opted out ($3: the types),
 * and those whom another bulk of the family, or the same text, has reached since or may still reach.
 */
const FAILED = `${FAMILY('$1')},
  relatives as materialized (select array_agg(id) as ids from family),
  lists as materialized (
    select (s->>'list')::uuid as id, n from tasks t, jsonb_array_elements(t.audience) with ordinality e(s, n)
     where t.id = (select id from origins where origin_id is null) and s ? 'list'),
  frozen as materialized (
    select distinct on (phone) phone, contact_id from task_phones
     where task_id = $1 and not excluded and contact_id is not null order by phone, n),
  awaited as materialized (
    select p.phone from tasks t join task_phones p on p.task_id = t.id and not p.excluded
     where t.id in (select id from family) and t.id <> $1 and t.origin_id is not null and t.removed_at is null
       and t.state in ('scheduled', 'running', 'paused') and not t.is_expanded),
  unreached as (
    select s.id, s.owner_id, s.phone, s.body, s.error, c.id as contact_id, c.phone as contact_phone, c.email as contact_email,
           case when (s.phone like '%@%') = ($2 = 'email') then s.phone when $2 = 'email' then c.email else c.phone end as address
      from sendings s
      left join frozen f on f.phone = s.phone
      left join lateral (
        select c.id, c.phone, c.email from contacts c where c.id = f.contact_id
        union all
        select id, phone, email from (
          select c.id, c.phone, c.email, l.n from lists l join contacts c on c.list_id = l.id and c.phone = s.phone
           where f.contact_id is null and s.phone like '+%'
          union all
          select c.id, c.phone, c.email, l.n from lists l join contacts c on c.list_id = l.id and c.email = s.phone
           where f.contact_id is null and s.phone not like '+%'
           order by n, id limit 1) of_list) c on true
     where s.group_id = $1 and s.chain_id is null and s.outcome = ${OUTCOME_CODES.failed}),
  judged as (
    select u.id, u.address, u.contact_id,
           case when u.error in (${OPTED_OUT})
                  or exists (select 1 from sendings a where a.chain_id = u.id and a.error in (${OPTED_OUT}))
                  or exists (select 1 from suppressions p where p.owner_id = u.owner_id and p.address = any(array[u.phone, u.address])
                                and p.type = any(array[0]::smallint[] || $3::smallint[])) then 'unsubscribed'
                when exists (select 1 from sendings n, relatives r
                              where n.owner_id = u.owner_id and n.phone = any(array[u.phone, u.contact_phone, u.contact_email])
                                and n.chain_id is null and n.id <> u.id
                                and (n.outcome is null or n.outcome = ${OUTCOME_CODES.delivered})
                                and (n.group_id = any(r.ids) or n.id > u.id and n.body = u.body))
                  -- Not by one condition: each of these is looked up in a hash table.
                  or u.phone in (select phone from awaited) or u.contact_phone in (select phone from awaited)
                  or u.contact_email in (select phone from awaited) then 'reached'
                when u.address is null then 'noAddress' end as skipped
      from unreached u)`;

const COUNTS = `
  count(*) filter (where skipped is null)::int as count,
  jsonb_build_object('unsubscribed', count(*) filter (where skipped = 'unsubscribed'), 'reached', count(*) filter (where skipped = 'reached'),
                     'noAddress', count(*) filter (where skipped = 'noAddress')) as skipped`;

/** Whom a bulk did not reach, for another that is sent to them. */
@Injectable()
export class FailedRecipientsStore {
  constructor(private readonly db: Db) {}

  async count({ taskId, field, types }: FailedOf): Promise<FailedCounts> {
    const sql = `${FAILED} select ${COUNTS} from judged`;
    const [row] = await this.db.queryUnprepared<FailedCounts>(sql, [taskId, field, types]);
    return row!;
  }

  /** All counted, the first `limit` of them with their addresses. */
  async read({ taskId, field, types }: FailedOf, limit: number): Promise<FailedRecipients> {
    const [row] = await this.db.queryUnprepared<FailedRecipients>(
      `${FAILED},
       first as (select address, contact_id, id from judged where skipped is null order by id limit $4)
       select ${COUNTS},
              (select coalesce(array_agg(address order by id), '{}') from first) as addresses,
              (select coalesce(array_agg(contact_id order by id), '{}') from first) as contacts
         from judged`,
      [taskId, field, types, limit],
    );
    return row!;
  }

  async lockFamily(taskId: string): Promise<void> {
    await this.db.query(
      `select 1 from tasks where id = (${FAMILY('$1')} select id from origins where origin_id is null) for no key update`,
      [taskId],
    );
  }

  /** Stores them as the recipients of another bulk. The caller has locked the family. */
  async freeze(id: string, { taskId, field, types }: FailedOf): Promise<FailedCounts> {
    const [row] = await this.db.queryUnprepared<FailedCounts>(
      `${FAILED},
       decided as materialized (select * from judged),
       stored as (
         insert into task_phones (task_id, excluded, n, phone, contact_id)
         select $4, false, row_number() over (order by id), address, contact_id from decided where skipped is null)
       select ${COUNTS} from decided`,
      [taskId, field, types, id],
    );
    return row!;
  }

  /** Ids of the bulks that have the recipients of this one in common. */
  async family(taskId: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(`${FAMILY('$1')} select id from family`, [
      taskId,
    ]);
    return rows.map(({ id }) => id);
  }
}
