import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';

/** Due triggers, the oldest first. Those of a paused task wait; those of a stopped task are deleted with it. */
const DUE = `select f.sending_id from fallback_triggers f left join tasks t on t.id = f.task_id
  where f.due_at <= $1 and (f.task_id is null or t.state in ('running', 'completed')) order by f.due_at`;

/** Rows of `fallback_triggers`: attempts whose fallback starts. */
@Injectable()
export class FallbackStore {
  constructor(private readonly db: Db) {}

  async isDue(now: Date): Promise<boolean> {
    const rows = await this.db.query(`${DUE} limit 1`, [now]);
    return rows.length > 0;
  }

  /** Deletes due triggers and returns them. */
  takeDue(now: Date, limit: number): Promise<{ id: string; trigger: number }[]> {
    return this.db.query(
      `delete from fallback_triggers where sending_id in (${DUE} limit $2 for update of f skip locked)
       returning sending_id as id, trigger`,
      [now, limit],
    );
  }

  /** Postpones the oldest due trigger and returns its sending. */
  async postponeFirst(now: Date, ms: number): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>(
      `update fallback_triggers set due_at = $2 where sending_id in (${DUE} limit 1)
       returning sending_id as id`,
      [now, new Date(now.getTime() + ms)],
    );
    return row?.id;
  }
}
