import { Injectable } from '@nestjs/common';
import {
  COUNT_CAP,
  type Page,
  type tasks,
  type TaskState,
  type TaskType,
} from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { byOwner } from '../../core/db/by-owner.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  contains,
  equals,
  isWhole,
  totals,
  type Bind,
  type ListSql,
} from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TASK_COLUMNS, TASK_FROM, TASK_ROW_COLUMNS, type TaskRow } from './task.row.ts';
import { BULK, type NewTask, type OpenTask } from './tasks.types.ts';

type Query = In<typeof tasks.find>['query'];

const LIST: ListSql<Query> = {
  order: { createdAt: 't.created_at', startsAt: 't.starts_at', title: 't.title' },
  filter: {
    type: equals('t.type'),
    state: equals('t.state'),
    OwnerId: equals('t.owner_id'),
    id: equals('t.id'),
  },
  range: { createdAt: 't.created_at', startsAt: 't.starts_at' },
  search: contains('t.title'),
};

const OPEN_TASK_COLUMNS = `id, owner_id as "OwnerId", user_id as "userId", token_id as "tokenId", type, title, state, data, audience, last_contact as "lastContact", origin_id as "originId", origin_audience as "originAudience", expected,
  stretch_seconds as "stretchSeconds", segment, cursor_id as "cursorId", cursor_n as "cursorN", position,
  is_expanded as "isExpanded", started_at as "startedAt", starts_at as "startsAt"`;

/** Phones of one insert: serialising a larger array would block the event loop. */
const PHONES_BATCH_SIZE = 5000;

/** Tasks as rows: lists, locks and states. */
@Injectable()
export class TasksStore {
  constructor(private readonly db: Db) {}

  async find(scope: AccessScope, query: Query): Promise<Page<TaskRow>> {
    const { OwnerId, ...filter } = query.filter;
    const direction = query.order[0]!.direction;
    const fields = [...new Set([...query.order.map((o) => LIST.order[o.field]), 't.id'])];
    const order = [
      ...query.order.map((o) => `${LIST.order[o.field]} ${o.direction}`),
      `t.id ${direction}`,
    ].join(', ');
    // Each owner's tasks are read along their own index: those of all customers of a reseller are too many to sort.
    const idsSql = (bind: Bind, take: string, isPage: boolean) => {
      const rows = ['t.removed_at is null', ...conditions(LIST, { ...query, filter }, bind)];
      const along = filter.id ? 'rows' : 'owners';
      return byOwner({ scope, OwnerId, column: 't.owner_id', along }, bind, (within) => {
        const where = [within, ...rows].map((c) => `(${c})`).join(' and ');
        return `select ${fields.join(', ')} from tasks t where ${where} ${isPage ? `order by ${order} ` : ''}limit ${take}`;
      });
    };
    const values: unknown[] = [];
    const bind: Bind = (v) => `$${values.push(v)}`;
    const [limit, offset] = [bind(query.limit), bind(query.offset)];
    // Ids first: payloads and counters are read for one page only.
    const data = await this.db.queryUnprepared<TaskRow>(
      `with page as (select t.id from (${idsSql(bind, `${limit}::int + ${offset}::int`, true)}) t order by ${order} limit ${limit} offset ${offset})
       select ${TASK_ROW_COLUMNS} from ${TASK_FROM} where t.id in (select id from page) order by ${order}`,
      values,
    );
    if (isWhole(data, query)) return { data, ...totals(data.length, query) };
    const counted: unknown[] = [];
    const all = idsSql((v) => `$${counted.push(v)}`, String(COUNT_CAP + 1), false);
    const [count] = await this.db.queryUnprepared<{ n: number }>(
      `select count(*)::int as n from (select 1 from (${all}) t limit ${COUNT_CAP + 1}) c`,
      counted,
    );
    return { data, ...totals(count!.n, query) };
  }

  async get(scope: AccessScope, id: string): Promise<TaskRow> {
    const [row] = await this.read(TASK_COLUMNS, scope, [id]);
    if (!row) throw notFound();
    return row;
  }

  byIds(scope: AccessScope, ids: string[]): Promise<TaskRow[]> {
    return this.read(TASK_ROW_COLUMNS, scope, ids);
  }

  private read(columns: string, scope: AccessScope, ids: string[]): Promise<TaskRow[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 't.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<TaskRow>(
      `select ${columns} from ${TASK_FROM} where t.id = any($1) and t.removed_at is null and ${within}`,
      values,
    );
  }

  async lock(scope: AccessScope, id: string): Promise<OpenTask> {
    const values: unknown[] = [id];
    const within = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<OpenTask>(
      `select ${OPEN_TASK_COLUMNS} from tasks where id = $1 and removed_at is null and ${within} for update`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }

  /** `no key update`: an insert of a batch locks the key of its task, and must not wait for a chunk. */
  async lockRunning(id: string, type: TaskType): Promise<OpenTask | undefined> {
    const [row] = await this.db.query<OpenTask>(
      `select ${OPEN_TASK_COLUMNS} from tasks where id = $1 and type = $2 and state = 'running' for no key update`,
      [id, type],
    );
    return row;
  }

  async create(task: NewTask): Promise<void> {
    await this.db.query(
      `insert into tasks (id, owner_id, user_id, title, data, audience, starts_at, stretch_seconds, expected, created_at, updated_at, token_id, origin_id, origin_audience)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, nullif($13, 'failed'))`,
      [
        task.id,
        task.OwnerId,
        task.userId,
        task.title,
        task.data,
        JSON.stringify(task.audience),
        task.startsAt,
        task.stretchSeconds,
        task.expected,
        task.now,
        task.tokenId,
        task.resendTo?.taskId ?? null,
        task.resendTo?.audience ?? null,
      ],
    );
    await this.db.query(`insert into task_counters (task_id, skipped) values ($1, $2)`, [
      task.id,
      task.skipped,
    ]);
    for (const [excluded, phones] of [
      [false, task.phones],
      [true, task.excludedPhones],
    ] as const) {
      for (let from = 0; from < phones.length; from += PHONES_BATCH_SIZE) {
        const part = phones.slice(from, from + PHONES_BATCH_SIZE);
        await this.db.query(
          `insert into task_phones (task_id, excluded, n, phone) select $1, $2, $4 + n, phone from unnest($3::text[]) with ordinality as p(phone, n)`,
          [task.id, excluded, part, from],
        );
      }
    }
  }

  /** Replaces the audience of a new task by its stored phones. */
  async setFrozen(id: string, count: number, skipped: Record<string, number>): Promise<void> {
    const audience = JSON.stringify([{ phones: [1, count] }]);
    const expected = Object.values(skipped).reduce((sum, n) => sum + n, count);
    await this.db.query(`update tasks set audience = $2, expected = $3 where id = $1`, [
      id,
      audience,
      expected,
    ]);
    await this.db.query(`update task_counters set skipped = $2 where task_id = $1`, [id, skipped]);
  }

  /** False when the task is no longer in the state `from`. */
  async move(
    id: string,
    from: TaskState,
    to: TaskState,
    now: Date,
    reason: string | null,
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `update tasks set state = $3, reason = $4, updated_at = $5,
              finished_at = case when $3 in ('stopped', 'completed', 'failed') then $5::timestamptz else finished_at end
        where id = $1 and state = $2`,
      [id, from, to, reason, now],
    );
    return changed > 0;
  }

  /** Pauses the scheduled and running bulks of an account. */
  async suspend(OwnerId: string, reason: string, now: Date): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `with open as (
         select id from tasks where owner_id = $1 and type = '${BULK}' and state in ('scheduled', 'running') and removed_at is null
          order by id for no key update)
       update tasks t set state = 'paused', reason = $2, updated_at = $3 from open where t.id = open.id returning t.id`,
      [OwnerId, reason, now],
    );
    return rows.map(({ id }) => id);
  }

  /** Stops the scheduled, running and paused bulks of an account. */
  async stopAll(OwnerId: string, now: Date): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `with open as (
         select id from tasks where owner_id = $1 and type = '${BULK}' and state in ('scheduled', 'running', 'paused') and removed_at is null
          order by id for no key update)
       update tasks t set state = 'stopped', reason = null, updated_at = $2, finished_at = $2 from open where t.id = open.id returning t.id`,
      [OwnerId, now],
    );
    return rows.map(({ id }) => id);
  }

  /** Schedules again what was paused for the reason, without those that have not begun and whose time has passed. */
  async endSuspension(OwnerId: string, reason: string, now: Date): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `with waiting as (
         select id from tasks where owner_id = $1 and type = '${BULK}' and state = 'paused' and reason = $2 and removed_at is null
            and (started_at is not null or starts_at > $3)
          order by id for no key update)
       update tasks t set state = 'scheduled', reason = null, updated_at = $3 from waiting where t.id = waiting.id returning t.id`,
      [OwnerId, reason, now],
    );
    return rows.map(({ id }) => id);
  }

  /** The first start fixes the audience: contacts added later are left out. */
  async start(id: string, now: Date): Promise<void> {
    await this.db.query(
      `update tasks set state = 'running', reason = null, updated_at = $2, started_at = coalesce(started_at, $2),
              last_contact = coalesce(last_contact, (
                select last.id from (
                  select (select c.id from contacts c where c.list_id = (s->>'list')::uuid order by c.id desc limit 1) as id
                    from jsonb_array_elements(audience) s where s ? 'list') last where last.id is not null order by last.id desc limit 1))
        where id = $1`,
      [id, now],
    );
  }

  /** Locks the lists of a task's audience, so that running imports into them finish first. */
  async lockLists(id: string): Promise<void> {
    await this.db.query(
      `select l.id from contact_lists l
        where l.id in (select (s->>'list')::uuid from tasks t, jsonb_array_elements(t.audience) s where t.id = $1 and s ? 'list')
        order by l.id for update`,
      [id],
    );
  }

  async setToken(id: string, tokenId: string | null): Promise<void> {
    await this.db.query(`update tasks set token_id = $2 where id = $1`, [id, tokenId]);
  }

  async rename(id: string, title: string, now: Date): Promise<void> {
    await this.db.query(`update tasks set title = $2, updated_at = $3 where id = $1`, [
      id,
      title,
      now,
    ]);
  }

  /** Scheduled tasks that are due, and running ones whose expansion was interrupted. */
  due(now: Date): Promise<{ id: string; state: TaskState }[]> {
    return this.db.query(
      `(select id, state from tasks where state = 'scheduled' and type = '${BULK}' and (starts_at is null or starts_at <= $1)
         order by starts_at nulls first limit 100)
       union all
       (select id, state from tasks where state = 'running' and type = '${BULK}' and not is_expanded and updated_at < $1::timestamptz - interval '1 second'
         order by updated_at limit 100)`,
      [now],
    );
  }

  /** Deletes texts and typed recipients of tasks that finished before a moment, the oldest first; returns how many. Lists and the sender name stay. */
  async dropTexts(before: Date, limit: number): Promise<number> {
    const tasks = await this.db.query<{ id: string }>(
      `select id from tasks where has_texts and finished_at < $1 order by finished_at, id limit $2 for update skip locked`,
      [before, limit],
    );
    const ids = tasks.map(({ id }) => id);
    await this.db.query(`delete from task_phones where task_id = any($1)`, [ids]);
    await this.db.query(
      `update tasks set has_texts = false, data = jsonb_set(jsonb_set(jsonb_set(jsonb_set(data #- '{sending,variants,texts}',
              '{sending,payload}', jsonb_build_object('sender', coalesce(data#>'{sending,payload,sender}', '""'))),
              '{sending,fallbacks}', '[]'), '{recipients,include,recipients}', '[]'), '{recipients,exclude,recipients}', '[]')
        where id = any($1)`,
      [ids],
    );
    return ids.length;
  }

  /** Also stops a task that is not running; its unsubmitted messages are dropped. */
  async remove(id: string, now: Date): Promise<void> {
    await this.db.query(
      `update tasks set removed_at = $2, updated_at = $2, finished_at = coalesce(finished_at, $2),
              state = case when state in ('scheduled', 'paused') then 'stopped' else state end
        where id = $1`,
      [id, now],
    );
  }
}
