import { Injectable } from '@nestjs/common';
import type { TaskErrors, TaskUnsent } from '@heliograph/contract';
import { moneyToNumber, parseMoney } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** Figures of one task that no counter holds. Whoever asks has found the task within reach. */
@Injectable()
export class TaskFiguresStore {
  constructor(private readonly db: Db) {}

  /** From `sendings_errors` alone: what did not fail costs nothing. */
  async errors(taskId: string): Promise<TaskErrors> {
    const rows = await this.db.query<{ code: string; count: number; amount: string }>(
      `select coalesce(error, 'unknown') as code, count(*)::int as count, sum(amount)::text as amount
         from sendings where group_id = $1 and failed_at is not null
        group by 1 order by 2 desc, 1`,
      [taskId],
    );
    const refunded = rows.reduce((sum, r) => sum + parseMoney(r.amount), 0n);
    return {
      data: rows.map((r) => ({ ...r, amount: moneyToNumber(parseMoney(r.amount)) })),
      refunded: moneyToNumber(refunded),
    };
  }

  /** The rows of batches that no worker has handed over, along the primary key. */
  async unsent(taskId: string): Promise<TaskUnsent> {
    const [row] = await this.db.query<{ count: number; amount: string }>(
      `select count(*)::int as count, coalesce(sum(s.amount), 0)::text as amount
         from batches b join sendings s on s.id between b.first_id and b.last_id and s.batch_id = b.id
        where b.task_id = $1 and b.stage in (0, 1) and s.status is null`,
      [taskId],
    );
    return { count: row!.count, amount: Number(row!.amount) };
  }
}
