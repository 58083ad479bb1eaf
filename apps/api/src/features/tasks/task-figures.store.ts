import { Injectable } from '@nestjs/common';
import type { TaskErrors, TaskUnsent } from '@heliograph/contract';
import { moneyToNumber, outcomeCode, parseMoney, STOPPED } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** Figures of one task that no counter holds. Whoever asks has found the task within reach. */
@Injectable()
export class TaskFiguresStore {
  constructor(private readonly db: Db) {}

  /**
   * Along `sendings_errors`: what did not fail costs nothing. A recipient who was not reached is counted at the last attempt,
   * which has no successor.
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
      [taskId, outcomeCode('failed'), STOPPED],
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

  /** The rows of its open batches, along the primary key; of those with a carrier what no report has ended. */
  async unsent(taskId: string): Promise<TaskUnsent> {
    const [row] = await this.db.query<{ count: number; amount: string; submitted: number }>(
      `select count(*) filter (where b.stage in (0, 1) and s.status is null)::int as count,
              coalesce(sum(s.amount) filter (where b.stage in (0, 1) and s.status is null), 0)::text as amount,
              count(*) filter (where b.stage in (2, 3, 4))::int as submitted
         from batches b join sendings s on s.id between b.first_id and b.last_id and s.batch_id = b.id
        where b.task_id = $1 and b.closed_at is null and (s.status is null or s.status < 3)`,
      [taskId],
    );
    return { count: row!.count, amount: Number(row!.amount), submitted: row!.submitted };
  }
}
