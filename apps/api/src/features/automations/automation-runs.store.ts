import { Injectable } from '@nestjs/common';
import type { AutomationRunState, automations } from '@heliograph/contract';
import { CONTACT_VARIABLES, OUTCOME_CODES } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import type { AccessScope } from '../../core/auth/actor.ts';
import { inDefaultCollation } from '../../core/db/collation.ts';
import { snake } from '../../core/db/data-source.ts';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { memberSql, type Membership, type SegmentInLists } from '../segments/segments.service.ts';
import { AutomationRun } from './automation-run.entity.ts';
import type { Automation } from './automation.entity.ts';

type Page = In<typeof automations.runs>['query'];
type Query = Page & { filter: { AutomationId?: string } };

/** A person whose next step is due. */
export interface DueRun {
  id: string;
  address: string;
  ContactId: string | null;
  isNew: boolean;
  taken: number[];
  createdAt: Date;
}

/** What a step has changed of a person. */
export interface RunChange {
  id: string;
  state: AutomationRunState;
  taken: number[];
  /** Null at the end. */
  dueAt: Date | null;
  /** Undefined: as before. */
  code?: string;
  SendingId?: string;
}

/** A contact with its values of variables. */
export interface RunContact {
  id: string;
  phone: string | null;
  email: string | null;
  values: Record<string, string | null>;
}

/** Whom a look through contacts lets enter. */
export type Looked =
  | { days: string[]; field: string; ListId: string | null }
  | { segment: SegmentInLists; membership: Membership; isStart: boolean };

/** Contacts, or messages, that one statement looks at. */
const LOOKED_AT = 5000;
const DELETE_BATCH_SIZE = 2000;
const DAY_MS = 86_400_000;

/** A contact's variable as JSON: a pair for `json_build_object`. */
const VALUES = CONTACT_VARIABLES.map((name) => {
  if (name.startsWith('custom')) return `'${name}', c.custom->>'${name}'`;
  return `'${name}', ${name === 'date' ? `to_char(c.date, 'YYYY-MM-DD')` : `c.${snake(name)}`}`;
}).join(', ');

/** Day and month of a date in a field, as `12-31`. */
function dayOf(field: string): string {
  if (field === 'date') return `to_char(c.date, 'MM-DD')`;
  const text = `c.custom->>'${field}'`;
  return `case when ${text} ~ '^\\d{4}-\\d\\d-\\d\\d' then substr(${text}, 6, 5)
               when ${text} ~ '^\\d\\d\\.\\d\\d\\.\\d{4}' then substr(${text}, 4, 2) || '-' || substr(${text}, 1, 2) end`;
}

@Injectable()
export class AutomationRunsStore extends Store<AutomationRun, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'r.id' },
    filter: { AutomationId: equals('r.automation_id') },
    range: {},
  };

  constructor(db: Db) {
    super(db, AutomationRun, 'r');
  }

  protected override rows(scope: AccessScope): SelectQueryBuilder<AutomationRun> {
    return super.rows(scope).andWhere(`r.state <> 'member'`);
  }

  /** People who wait, by the step that they have taken last; null before the first. */
  waiting(AutomationId: string): Promise<{ step: number | null; count: number }[]> {
    return this.db.query<{ step: number | null; count: number }>(
      `select taken[cardinality(taken)] as step, count(*)::int as count from automation_runs
        where automation_id = $1 and due_at is not null group by 1`,
      [AutomationId],
    );
  }

  /** Locks the first of those who are due, except those that another worker has locked. */
  takeDue(AutomationId: string, now: Date, limit: number): Promise<DueRun[]> {
    return this.db.query<DueRun>(
      `select id, address, contact_id as "ContactId", state = 'new' as "isNew", taken, created_at as "createdAt" from automation_runs
        where automation_id = $1 and due_at <= $2 order by due_at, id limit $3 for update skip locked`,
      [AutomationId, now, limit],
    );
  }

  async write(changes: RunChange[], now: Date): Promise<void> {
    await this.db.query(
      `update automation_runs r
          set state = w.state, taken = w.taken::int[], due_at = w.due_at, tries = 0, ended_at = case when w.due_at is null then $7::timestamptz end,
              code = coalesce(w.code, r.code), sending_id = coalesce(w.sending_id, r.sending_id)
         from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::uuid[])
           w(id, state, taken, due_at, code, sending_id)
        where r.id = w.id`,
      [
        changes.map(({ id }) => id),
        changes.map(({ state }) => state),
        changes.map(({ taken }) => `{${taken.join(',')}}`),
        changes.map(({ dueAt }) => dueAt),
        changes.map(({ code }) => code ?? null),
        changes.map(({ SendingId }) => SendingId ?? null),
        now,
      ],
    );
  }

  /** Makes the first of those who are due wait, and counts the failure. */
  async postpone(
    AutomationId: string,
    now: Date,
    ms: number,
  ): Promise<{ id: string; isNew: boolean; tries: number } | undefined> {
    const [row] = await this.db.query<{ id: string; isNew: boolean; tries: number }>(
      `with tried as (
         update automation_runs set tries = tries + 1, due_at = $2::timestamptz + make_interval(secs => $3) where id = (
           select id from automation_runs where automation_id = $1 and due_at <= $2 order by due_at, id limit 1 for update skip locked)
         returning id, state, tries)
       select id, state = 'new' as "isNew", tries from tried`,
      [AutomationId, now, ms / 1000],
    );
    return row;
  }

  async giveUp(id: string, now: Date): Promise<void> {
    await this.db.query(
      `update automation_runs set state = 'failed', due_at = null, ended_at = $2, code = 'internal' where id = $1`,
      [id, now],
    );
  }

  /** The contacts of people that are still in a list of the account. */
  async contacts(OwnerId: string, ids: string[]): Promise<Map<string, RunContact>> {
    const rows = await this.db.query<RunContact>(
      `select c.id, c.phone, c.email, json_build_object(${VALUES}) as values
         from contacts c join contact_lists l on l.id = c.list_id where c.id = any($1) and l.owner_id = $2`,
      [ids, OwnerId],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those of people, by id, who have written to the account after they entered. */
  async replied(OwnerId: string, runs: DueRun[]): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select r.id from unnest($2::uuid[], $3::text[], $4::uuid[]) r(id, address, since)
        where exists (select 1 from sendings_incoming i where i.owner_id = $1 and i."from" = r.address and i.id >= r.since)`,
      [
        OwnerId,
        runs.map(({ id }) => id),
        runs.map(({ address }) => address),
        runs.map(({ createdAt }) => uuidFloor(new Date(createdAt.getTime() + 1))),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Lets people enter who have written, each once for an occurrence and not again before its end. */
  async enter(
    { id, OwnerId }: Automation,
    addresses: string[],
    occurrence: string,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into automation_runs (automation_id, owner_id, address, occurrence, contact_id, due_at, created_at)
       select $1, $2, a.address, $4,
              (select c.id from contact_lists l join contacts c on c.list_id = l.id and (c.phone = a.address or c.phone is null and c.email = a.address)
                where l.owner_id = $2 and l.type = 'regular' order by c.id desc limit 1), $5, $5
         from unnest($3::text[]) a(address)
        where not exists (select 1 from automation_runs r where r.automation_id = $1 and r.address = a.address and r.due_at is not null)
        order by a.address
       on conflict do nothing`,
      [id, OwnerId, addresses, occurrence, now],
    );
  }

  /** Lets the next contacts enter for whom it is time. Where the look goes on; null at its end. */
  async look(
    { id, OwnerId, scanList, scanAfter }: Automation,
    looked: Looked,
    occurrence: string,
    now: Date,
  ): Promise<{ list: string; after: string } | null> {
    const isSegment = 'segment' in looked;
    const ListId = isSegment ? (looked.segment.where.ListId ?? null) : looked.ListId;
    const values: unknown[] = [id, OwnerId, scanList, scanAfter, ListId, occurrence, now];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = isSegment
      ? memberSql(looked.segment, looked.membership, bind)
      : [`${dayOf(looked.field)} = any(${bind(looked.days)})`];
    const isMember = isSegment && looked.isStart;
    const [row] = await this.db.queryUnprepared<{ n: number; list: string; after: string }>(
      `with looked as materialized (
         select c.* from contact_lists l cross join lateral (
           select c.* from contacts c where c.list_id = l.id and ($3::uuid is null or l.id > $3 or c.id > $4) order by c.id limit ${LOOKED_AT}) c
          where l.owner_id = $2 and l.type = 'regular' and ($3::uuid is null or l.id >= $3) and ($5::uuid is null or l.id = $5)
          order by l.id, c.id limit ${LOOKED_AT}
       ), entered as (
         insert into automation_runs (automation_id, owner_id, address, occurrence, contact_id, due_at, created_at, state, ended_at)
         select $1, $2, address, $6, id, ${isMember ? 'null' : '$7'}, $7, '${isMember ? 'member' : 'new'}', ${isMember ? '$7' : 'null'}
           from (select distinct on (coalesce(c.phone, c.email)) c.id, coalesce(c.phone, c.email) as address
                   from looked c join contact_lists l on l.id = c.list_id
                  where ${['true', ...conditions].join(' and ')} order by 2, c.id) f
          where not exists (select 1 from automation_runs r where r.automation_id = $1 and r.address = ${inDefaultCollation('f.address')} and r.occurrence = $6)
          order by address
         on conflict do nothing)
       select count(*)::int as n, (array_agg(list_id order by list_id desc, id desc))[1] as list,
              (array_agg(id order by list_id desc, id desc))[1] as after from looked`,
      values,
    );
    const { n, list, after } = row!;
    return n === LOOKED_AT ? { list, after } : null;
  }

  /**
   * Lets people enter whose last message from the account is one of the next ones, and who have not written since. A person enters once
   * until the next message of theirs. The last message that was looked at; null at the end.
   */
  async lookForSilence(
    { id, OwnerId, scanAfter }: Automation,
    { from, until }: { from: Date; until: Date },
    types: number[],
    now: Date,
  ): Promise<string | null> {
    const [row] = await this.db.query<{ n: number; after: string }>(
      `with looked as materialized (
         select s.id, s.phone, s.type, s.outcome, s.data ? 'isSealed' as sealed from sendings s
          where s.owner_id = $2 and s.id > $3 and s.id < $4 order by s.id limit ${LOOKED_AT}
       ), entered as (
         insert into automation_runs (automation_id, owner_id, address, occurrence, contact_id, due_at, created_at)
         select $1, $2, f.phone,
                coalesce((select i.id::text from sendings_incoming i where i.owner_id = $2 and i."from" = ${inDefaultCollation('f.phone')} order by i.id desc limit 1), ''),
                (select c.id from contact_lists l join contacts c on c.list_id = l.id and (c.phone = f.phone or c.phone is null and c.email = f.phone)
                  where l.owner_id = $2 and l.type = 'regular' order by c.id desc limit 1), $5, $5
           from (select distinct on (phone) phone, id from looked
                  where type = any($6::smallint[]) and outcome is distinct from ${OUTCOME_CODES.failed} and not coalesce(sealed, false)
                  order by phone, id desc) f
          where not exists (select 1 from sendings n where n.owner_id = $2 and n.phone = f.phone and n.id > f.id and not coalesce(n.data ? 'isAwaited', false))
            and not exists (select 1 from sendings_incoming i where i.owner_id = $2 and i."from" = ${inDefaultCollation('f.phone')} and i.id > f.id)
          order by f.phone
         on conflict do nothing)
       select count(*)::int as n, (array_agg(id order by id desc))[1] as after from looked`,
      [id, OwnerId, scanAfter ?? uuidFloor(from), uuidFloor(until), now, types],
    );
    const { n, after } = row!;
    return n === LOOKED_AT ? after : null;
  }

  /** Of people who came to an end some days ago, all but who must not enter a segment again. True if there may be more. */
  async deleteOld(now: Date, days: number): Promise<boolean> {
    const [row] = await this.db.query<{ n: number }>(
      `with old as (
         select r.id, a.trigger->>'when' = 'segment' as kept from automation_runs r join automations a on a.id = r.automation_id
          where r.ended_at < $1 and r.state <> 'member' order by r.ended_at limit ${DELETE_BATCH_SIZE}
       ), kept as (
         update automation_runs r set state = 'member', taken = '{}', code = null, sending_id = null from old where r.id = old.id and old.kept
       ), gone as (
         delete from automation_runs r using old where r.id = old.id and not old.kept)
       select count(*)::int as n from old`,
      [new Date(now.getTime() - days * DAY_MS)],
    );
    return row!.n === DELETE_BATCH_SIZE;
  }
}
