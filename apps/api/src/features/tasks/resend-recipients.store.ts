import { Injectable } from '@nestjs/common';
import type { ResendAudience, ResendOf } from '@heliograph/contract';
import { OUTCOME_CODES } from '@heliograph/domain';
import { inDefaultCollation } from '../../core/db/collation.ts';
import { Db } from '../../core/db/db.ts';
import { hasTextSql } from '../links/click-codes.service.ts';

/** The recipients of a bulk that are meant, and how they are to be reached now. */
export interface ResendTo extends ResendOf {
  /** The contact field that holds an address of the new type. */
  field: 'phone' | 'email';
  /** Types of which a person may have opted out: the new one, and those of the bulk. As stored. */
  types: number[];
}

/** Recipients that are meant and have an address, and how many others are left out, by the reason. */
export interface ResendCounts {
  count: number;
  skipped: Record<'unsubscribed' | 'reached' | 'noAddress', number>;
}

export interface ResendRecipients extends ResendCounts {
  /** The first of them, parallel. */
  addresses: string[];
  contacts: (string | null)[];
}

/** What people are sent a bulk again for not having done. */
export type ResendResponse = Exclude<ResendAudience, 'failed'>;

/** What a bulk to recipients of another asks again when it starts. */
export interface Meanwhile {
  responses: ResendResponse[];
  /** Bulks that may have reached some of them since. */
  reachedBy: string[];
  /** Bulks with recipients in common. */
  family: string[];
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
 * After `FAMILY`: `rivals`, the bulks that reach recipients in the place of one to `audience` of the bulk `id`. Who failed is reached
 * by any bulk of those that failed, and who did not click by another bulk to those who did not; the bulk that they did not click has
 * reached them before.
 */
const RIVALS = (id: string, audience: ResendAudience) => `
  climbed as (
    select id, origin_id, origin_audience from tasks where id = ${id}
    union all
    select t.id, t.origin_id, t.origin_audience from tasks t join climbed c on t.id = c.origin_id and c.origin_audience is null),
  top as (${
    audience === 'failed'
      ? `select coalesce(origin_id, id) as id, origin_audience is not null as is_before from climbed where origin_id is null or origin_audience is not null`
      : `select ${id}::uuid as id, true as is_before`
  }),
  descendants as (
    select id from top union all select t.id from tasks t join descendants d on t.origin_id = d.id),
  rivals as materialized (
    select array(select d.id from descendants d where not exists (select 1 from top where is_before and top.id = d.id)) as ids)`;

/**
 * What recipients must not have done, given the audiences of the bulk and of those before it, nearest first. To send again to those whom
 * a reminder did not reach is to remind them. Who has clicked needs no reminder of what was to be clicked; opening ends only reminders
 * to open, since those who have opened and not clicked are meant by the others.
 */
function responsesOf(audiences: ResendAudience[]): ResendResponse[] {
  const reminders = audiences.filter((audience) => audience !== 'failed');
  return (['unclicked', 'unseen'] as const).filter(
    (response) =>
      response === reminders[0] || (response === 'unclicked' && reminders.includes(response)),
  );
}

/** The messages `s` of an audience, of which some have been responded to. Clicks are deleted with the text. */
const isMeant = (audience: ResendAudience): string => {
  if (audience === 'failed') return `s.outcome = ${OUTCOME_CODES.failed}`;
  return `s.outcome = ${OUTCOME_CODES.delivered} and ${hasTextSql('s')}`;
};

interface Person {
  owner: string;
  /** Of addresses. */
  addresses: string;
  /** Of ids of bulks. */
  family: string;
}

/** Whether somebody has done since, with any message of the bulks, what they were meant for not having done; by SQL expressions. */
export function respondedSql(response: ResendResponse, person: Person): string {
  const { owner, addresses, family } = person;
  if (response === 'unclicked')
    return `exists (select 1 from link_clicks k where k.owner_id = ${owner} and k.address = any(${inDefaultCollation(addresses)}) and k.task_id = any(${family}))`;
  return `exists (select 1 from sendings o where o.owner_id = ${owner} and o.phone = any(${addresses}) and o.group_id = any(${family}) and o.seen_at is not null)`;
}

const OF_FOUND: Person = {
  owner: 'u.owner_id',
  addresses: 'array[u.phone, u.contact_phone, u.contact_email]',
  family: 'r.ids',
};

/**
 * Recipients of the bulk $1 that are meant, each with the address for the field $2. Left out are people who have opted out ($3: the
 * types), and those whom another bulk of the family, or the same text, has reached since or may still reach.
 */
const recipientsSql = (
  audience: ResendAudience,
  responses: ResendResponse[],
) => `${FAMILY('$1')}, ${RIVALS('$1', audience)},
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
  found as (
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
     where s.group_id = $1 and s.chain_id is null and ${isMeant(audience)}),
  judged as (
    select u.id, u.address, u.contact_id,
           case when u.error in (${OPTED_OUT})
                  or exists (select 1 from sendings a where a.chain_id = u.id and a.error in (${OPTED_OUT}))
                  or exists (select 1 from suppressions p where p.owner_id = u.owner_id and p.address = any(${inDefaultCollation(`array[u.phone, u.address${audience === 'failed' ? '' : ', u.contact_phone, u.contact_email'}]`)})
                                and p.type = any(array[0]::smallint[] || $3::smallint[])) then 'unsubscribed'
                when exists (select 1 from sendings n, rivals v
                              where n.owner_id = u.owner_id and n.phone = any(array[u.phone, u.contact_phone, u.contact_email])
                                and n.chain_id is null and n.id <> u.id
                                and (n.outcome is null or n.outcome = ${OUTCOME_CODES.delivered})
                                and (n.group_id = any(v.ids) or n.id > u.id and n.body = u.body))
                  -- Not by one condition: each of these is looked up in a hash table.
                  or u.phone in (select phone from awaited) or u.contact_phone in (select phone from awaited)
                  or u.contact_email in (select phone from awaited) then 'reached'
                when u.address is null then 'noAddress' end as skipped
      from found u, relatives r
     where ${['true', ...responses.map((response) => `not ${respondedSql(response, OF_FOUND)}`)].join(' and ')}
           ${responses.includes('unseen') ? 'and not exists (select 1 from sendings a where a.chain_id = u.id and a.seen_at is not null)' : ''})`;

const COUNTS = `
  count(*) filter (where skipped is null)::int as count,
  jsonb_build_object('unsubscribed', count(*) filter (where skipped = 'unsubscribed'), 'reached', count(*) filter (where skipped = 'reached'),
                     'noAddress', count(*) filter (where skipped = 'noAddress')) as skipped`;

/** Whom a bulk did not reach, or who did not click or open it, for another that is sent to them. */
@Injectable()
export class ResendRecipientsStore {
  constructor(private readonly db: Db) {}

  async count({ taskId, audience, field, types }: ResendTo): Promise<ResendCounts> {
    const sql = `${recipientsSql(audience, await this.responses({ taskId, audience }))} select ${COUNTS} from judged`;
    const [row] = await this.db.queryUnprepared<ResendCounts>(sql, [taskId, field, types]);
    return row!;
  }

  /** All counted, the first `limit` of them with their addresses. */
  async read(
    { taskId, audience, field, types }: ResendTo,
    limit: number,
  ): Promise<ResendRecipients> {
    const [row] = await this.db.queryUnprepared<ResendRecipients>(
      `${recipientsSql(audience, await this.responses({ taskId, audience }))},
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
  async freeze(id: string, { taskId, audience, field, types }: ResendTo): Promise<ResendCounts> {
    const [row] = await this.db.queryUnprepared<ResendCounts>(
      `${recipientsSql(audience, await this.responses({ taskId, audience }))},
       decided as materialized (select * from judged),
       stored as (
         insert into task_phones (task_id, excluded, n, phone, contact_id)
         select $4, false, row_number() over (order by id), address, contact_id from decided where skipped is null)
       select ${COUNTS} from decided`,
      [taskId, field, types, id],
    );
    return row!;
  }

  /** What the bulk to an audience of `taskId` asks when it starts. */
  async meanwhile({ taskId, audience }: ResendOf): Promise<Meanwhile> {
    const [row] = await this.db.query<Omit<Meanwhile, 'responses'>>(
      `${FAMILY('$1')}, ${RIVALS('$1', audience)}
       select (select ids from rivals) as "reachedBy", array(select id from family) as family`,
      [taskId],
    );
    return { responses: await this.responses({ taskId, audience }), ...row! };
  }

  private async responses({ taskId, audience }: ResendOf): Promise<ResendResponse[]> {
    const before = await this.db.query<{ audience: ResendAudience }>(
      `with recursive before as (
         select id, origin_id, origin_audience, 1 as n from tasks where id = $1
         union all select t.id, t.origin_id, t.origin_audience, n + 1 from tasks t join before b on t.id = b.origin_id)
       select coalesce(origin_audience, 'failed') as audience from before order by n`,
      [taskId],
    );
    return responsesOf([audience, ...before.map((bulk) => bulk.audience)]);
  }
}
