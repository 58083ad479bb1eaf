import { Injectable } from '@nestjs/common';
import type { TaskErrors, TaskUnsent } from '@heliograph/contract';
import {
  BATCH_STAGES,
  moneyToNumber,
  OUTCOME_CODES,
  parseMoney,
  STATUS_CODES,
  STOPPED,
} from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

const { pending, leased, submitting, submitted, unknown } = BATCH_STAGES;
/** Of a sending `s` and its batch `b`: what a stop drops. What waits for another submit may be at the carrier already. */
const DROPPED = `b.stage in (${pending}, ${leased}) and b.unknown_outcomes = 0 and s.status is null`;

/** Figures of one task without a counter. The caller has checked that the actor may read the task. */
@Injectable()
export class TaskFiguresStore {
  constructor(private readonly db: Db) {}

  /**
   * Reads the index `sendings_errors`, so that only failed attempts are scanned. An unreached recipient is counted once, by the error of
   * the last attempt.
   */
  async errors(taskId: string): Promise<TaskErrors> {
    const rows = await this.db.query<{
      code: string;
      count: number;
      amount: string;
      others: number;
      refunded: string;
    }>(
      `select code, count(*) filter (where is_reason)::int as count, coalesce(sum(amount) filter (where is_reason), 0)::text as amount,
              count(*) filter (where not is_failed and code <> $3)::int as others, sum(amount)::text as refunded
         from (select coalesce(s.error, 'unknown') as code, s.amount, f.is_failed, f.is_failed and not exists (
                        select 1 from sendings n where n.chain_id = s.chain and n.attempt = s.attempt + 1) as is_reason
                 from sendings_now s, lateral (select coalesce(s.now_outcome = $2, false) as is_failed) f
                where s.group_id = $1 and s.failed_at is not null) s
        group by 1 order by 2 desc, 1`,
      [taskId, OUTCOME_CODES.failed, STOPPED],
    );
    const refunded = rows.reduce((sum, row) => sum + parseMoney(row.refunded), 0n);
    return {
      data: rows
        .filter(({ count }) => count > 0)
        .map(({ code, count, amount }) => ({
          code,
          count,
          amount: moneyToNumber(parseMoney(amount)),
        })),
      others: rows.reduce((sum, { others }) => sum + others, 0),
      refunded: moneyToNumber(refunded),
    };
  }

  /** Unsubmitted messages with their amount, and submitted ones without a final report. Reads the open batches along the primary key. */
  async unsent(taskId: string): Promise<TaskUnsent> {
    const [row] = await this.db.query<{
      count: number;
      amount: string;
      submitted: number;
      dueAt: Date | null;
    }>(
      `select count(*) filter (where ${DROPPED})::int as count, coalesce(sum(s.amount) filter (where ${DROPPED}), 0)::text as amount,
              count(*) filter (where b.stage in (${submitting}, ${submitted}, ${unknown}) or b.unknown_outcomes > 0)::int as submitted,
              min(b.due_at) filter (where b.stage = ${pending} and s.status is null) as "dueAt"
         from batches b cross join lateral (
           select s.amount, s.status from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id
              and (s.status is null or s.status < ${STATUS_CODES.delivered}) offset 0) s
        where b.task_id = $1 and b.closed_at is null`,
      [taskId],
    );
    const { amount, dueAt, ...counts } = row!;
    return { ...counts, amount: Number(amount), dueAt: dueAt?.toISOString() ?? null };
  }
}
