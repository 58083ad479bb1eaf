import { Injectable } from '@nestjs/common';
import type { ResendAudience } from '@heliograph/contract';
import {
  BATCH_STAGES,
  OUTCOME_CODES,
  STATUS_CODES,
  STOPPED,
  type EventCounts,
  type OperatorTable,
  type SendingErrorCode,
} from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { BILLING_STATUS_CODES, isCoveredSql } from '../../billings/billings.service.ts';

/** Figures of all attempts of one type and number in their chains. */
export interface AttemptFigures {
  attempt: number;
  type: number;
  count: number;
  submitted: number;
  delivered: number;
  seen: number;
  replied: number;
  failed: number;
  cancelled: number;
  /** Amounts, each of messages without and with a result, and of refunded ones. */
  charged: string;
  reserved: string;
  refunded: string;
  /** Messages that packages cover. */
  covered: number;
}

/** Recipients in one range of the operator table; null of addresses that are no phones. */
export interface RangeFigures {
  range: number | null;
  count: number;
  delivered: number;
  failed: number;
  cancelled: number;
}

export interface TaskFigures {
  attempts: AttemptFigures[];
  ranges: RangeFigures[];
  events: EventCounts[];
}

export interface RelatedTask {
  id: string;
  audience: ResendAudience;
  title: string;
  state: string;
  createdAt: Date;
}

const { delivered, seen, failed } = STATUS_CODES;
const MAX_RESENDS = 20;
const DAY_MS = 86_400_000;
/** Failures before a carrier had the message. */
export const NOT_SUBMITTED: SendingErrorCode[] = [
  STOPPED,
  'superseded',
  'insufficient_funds',
  'spend_cap_reached',
  'no_price',
  'no_value',
  'channel_down',
  'unsubscribed',
];

/** The figures of a bulk from its rows. */
@Injectable()
export class TaskOutcomeStore {
  constructor(private readonly db: Db) {}

  /** Reads the task's first attempts along `sendings_audience` and the others along `sendings_chain`, in one statement. */
  async figures(
    taskId: string,
    OwnerId: string,
    { starts }: OperatorTable,
    replyWindowMs: number,
  ): Promise<TaskFigures> {
    const span = await this.submittedSpan(taskId);
    const [row] = await this.db.queryUnprepared<TaskFigures>(
      `with firsts as materialized (
         select id, attempt, type, batch_id, status, outcome, error, amount, phone, is_last, sent_at, delivered_at, seen_at, failed_at
           from sendings where group_id = $1 and chain_id is null),
       attempts as materialized (
         select s.*, coalesce(s.status, stage_status(b.stage)) as now_status,
                case when s.error = any($2) then null
                     else coalesce(s.sent_at, case when b.stage = ${BATCH_STAGES.submitted} then b.submitted_at end) end as submitted_at,
                coalesce(l.is_refunded, false) as is_refunded, coalesce(l.is_covered, false) as is_covered
           from (select id, attempt, type, batch_id, status, error, amount, sent_at, delivered_at, seen_at, failed_at from firsts
                 union all
                 select n.* from firsts f cross join lateral (
                   select id, attempt, type, batch_id, status, error, amount, sent_at, delivered_at, seen_at, failed_at
                     from sendings where chain_id = f.id limit 10) n where not f.is_last) s
           join batches b on b.id = s.batch_id
           left join lateral (
             select l.status = ${BILLING_STATUS_CODES.refunded} as is_refunded, ${isCoveredSql('l')} as is_covered
               from billings l where l.id = s.id limit 1) l on true),
       replied as materialized (
         select distinct sending_id from sendings_incoming
          where owner_id = $3 and id between $4 and $5 and sending_id is not null)
       select (select coalesce(jsonb_agg(a order by a.attempt, a.count desc, a.type), '[]') from (
                 select attempt, type, count(*)::int as count, count(submitted_at)::int as submitted,
                        count(*) filter (where now_status in (${delivered}, ${seen}))::int as delivered,
                        count(*) filter (where now_status = ${seen})::int as seen,
                        count(r.sending_id)::int as replied,
                        count(*) filter (where now_status = ${failed} and error is distinct from '${STOPPED}')::int as failed,
                        count(*) filter (where now_status = ${failed} and error = '${STOPPED}')::int as cancelled,
                        coalesce(sum(amount), 0)::text as charged,
                        coalesce(sum(amount) filter (where is_refunded), 0)::text as refunded,
                        coalesce(sum(amount) filter (where not is_refunded and now_status not in (${delivered}, ${seen}, ${failed})), 0)::text
                          as reserved,
                        count(*) filter (where is_covered)::int as covered
                   from attempts left join replied r on r.sending_id = attempts.id group by attempt, type) a) as attempts,
              (select coalesce(jsonb_agg(o), '[]') from (
                 select case when phone like '+%' then width_bucket(rpad(substr(phone, 2, 15), 15, '0')::float8, $6::float8[]) end as range,
                        count(*)::int as count, count(*) filter (where outcome = ${OUTCOME_CODES.delivered})::int as delivered,
                        count(*) filter (where outcome = ${OUTCOME_CODES.failed})::int as failed,
                        count(*) filter (where outcome = ${OUTCOME_CODES.cancelled})::int as cancelled
                   from firsts group by 1) o) as ranges,
              (select coalesce(jsonb_agg(e order by e.at), '[]') from (
                 select (extract(epoch from date_bin($7::interval, e.at, 'epoch')) * 1000)::bigint as at,
                        count(*) filter (where kind = 'submitted')::int as submitted,
                        count(*) filter (where kind = 'delivered')::int as delivered, count(*) filter (where kind = 'failed')::int as failed
                   from attempts a cross join lateral (values
                          ('submitted', a.submitted_at), ('delivered', coalesce(a.delivered_at, a.seen_at)),
                          ('failed', case when a.error is distinct from '${STOPPED}' then a.failed_at end)) e(kind, at)
                  where e.at is not null group by 1) e) as events`,
      [
        taskId,
        NOT_SUBMITTED,
        OwnerId,
        uuidFloor(span.first),
        uuidFloor(new Date(span.last.getTime() + replyWindowMs)),
        [...starts],
        binOf(span),
      ],
    );
    return row!;
  }

  /** The bulk whose recipients a bulk was sent to, and the bulks to its own, newest first. */
  async related(id: string): Promise<{ origin: RelatedTask | null; resends: RelatedTask[] }> {
    const columns = (edge: string) =>
      `t.id, t.title, t.state, t.created_at as "createdAt", coalesce(${edge}.origin_audience, 'failed') as audience`;
    const [origin] = await this.db.query<RelatedTask>(
      `select ${columns('n')} from tasks n join tasks t on t.id = n.origin_id where n.id = $1 and t.removed_at is null`,
      [id],
    );
    const resends = await this.db.query<RelatedTask>(
      `select ${columns('t')} from tasks t where origin_id = $1 and removed_at is null order by created_at desc limit ${MAX_RESENDS}`,
      [id],
    );
    return { origin: origin ?? null, resends };
  }

  private async submittedSpan(taskId: string): Promise<{ first: Date; last: Date }> {
    const [row] = await this.db.query<{ first: Date; last: Date }>(
      `select coalesce(min(submitted_at), 'epoch') as first, coalesce(max(submitted_at), 'epoch') as last from batches where task_id = $1`,
      [taskId],
    );
    return row!;
  }
}

/** The precision of the events: few enough rows of bulks that take days. */
function binOf({ first, last }: { first: Date; last: Date }): string {
  const days = (last.getTime() - first.getTime()) / DAY_MS;
  return days > 2 ? '10 minutes' : days > 1 / 24 ? '1 minute' : '10 seconds';
}
