import { Injectable } from '@nestjs/common';
import type { TaskState } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import type { NewOtherTask } from './tasks.types.ts';

/** The SQL of tasks other than bulks. */
@Injectable()
export class OtherTasksStore {
  constructor(private readonly db: Db) {}

  /** A running task. It has no audience and no texts. */
  async open(
    { id, OwnerId, userId, type, title, data, expected }: NewOtherTask,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into tasks (id, owner_id, user_id, type, title, state, data, audience, expected, has_texts, started_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'running', $6, '[]', $7, false, $8, $8, $8)`,
      [id, OwnerId, userId, type, title, data, expected, now],
    );
    await this.db.query(`insert into task_counters (task_id) values ($1)`, [id]);
  }

  async lockState(id: string): Promise<TaskState | undefined> {
    const [row] = await this.db.query<{ state: TaskState }>(
      `select state from tasks where id = $1 for no key update`,
      [id],
    );
    return row?.state;
  }

  async setReport(id: string, reportId: string, now: Date): Promise<void> {
    await this.db.query(
      `update tasks set data = jsonb_set(data, '{operations,ReportId}', to_jsonb($2::text)), updated_at = $3 where id = $1`,
      [id, reportId, now],
    );
  }
}
