import { Injectable } from '@nestjs/common';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Sweeps } from './jobs/handlers.ts';
import { uuidFloor } from './uuid.ts';

const DAY_MS = 86_400_000;
/** Rows that one statement removes, so that it is over soon and locks little. */
const DELETE_BATCH_SIZE = 2000;

/** What is kept for a time only: settings `RETENTION_...`, in days; 0 keeps it for ever. */
@Injectable()
export class Retention {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly db: Db,
  ) {}

  /** What is of before this moment may go; null when nothing may. */
  before(days: number): Date | null {
    return days ? new Date(this.clock.now().getTime() - days * DAY_MS) : null;
  }

  /** Removes the oldest rows by the time in their ids, which are UUIDv7; true when there are more of them. */
  async dropOlder(
    table: 'visits' | 'notifications' | 'audit_log' | 'sendings_incoming',
    days: number,
  ): Promise<boolean> {
    const before = this.before(days);
    if (!before) return false;
    const dropped = await this.db.execute(
      `delete from ${table} where id in (select id from ${table} where id < $1 order by id limit ${DELETE_BATCH_SIZE})`,
      [uuidFloor(before)],
    );
    return dropped === DELETE_BATCH_SIZE;
  }

  /** Answers that repeated calls get. */
  @Sweeps(5000)
  async dropKeys(): Promise<boolean> {
    const dropped = await this.db.execute(
      `delete from idempotency_keys where (owner_id, route, key) in (
         select owner_id, route, key from idempotency_keys where created_at < now() - make_interval(hours => $1)
          order by created_at limit ${DELETE_BATCH_SIZE})`,
      [this.config.RETENTION_IDEMPOTENCY_HOURS],
    );
    return dropped === DELETE_BATCH_SIZE;
  }
}
