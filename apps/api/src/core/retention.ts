import { Injectable } from '@nestjs/common';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Sweeps } from './jobs/handlers.ts';
import { uuidFloor } from './uuid.ts';

const DAY_MS = 86_400_000;
/** Rows deleted by one statement. Bounded, so that it is short and locks few rows. */
const DELETE_BATCH_SIZE = 2000;

/** Deletes rows after the time configured by `RETENTION_...` in days; 0 keeps them. */
@Injectable()
export class Retention {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly db: Db,
  ) {}

  /** Older rows can be deleted; null if rows are kept. */
  before(days: number): Date | null {
    return days ? new Date(this.clock.now().getTime() - days * DAY_MS) : null;
  }

  /** Deletes the oldest rows by the time in their UUIDv7 ids, or in another indexed column. Returns true if there are more. */
  async deleteOlder(table: string, days: number, column = 'id'): Promise<boolean> {
    const before = this.before(days);
    if (!before) return false;
    const deleted = await this.db.execute(
      `delete from ${table} where ${column} in (select ${column} from ${table} where ${column} < $1 order by ${column} limit ${DELETE_BATCH_SIZE})`,
      [uuidFloor(before)],
    );
    return deleted === DELETE_BATCH_SIZE;
  }

  /** Not those that a call is replacing. */
  @Sweeps(5000)
  async deleteIdempotencyKeys(): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from idempotency_keys where (owner_id, route, key) in (
         select owner_id, route, key from idempotency_keys where created_at < now() - make_interval(hours => $1)
          order by created_at limit ${DELETE_BATCH_SIZE} for update skip locked)`,
      [this.config.RETENTION_IDEMPOTENCY_HOURS],
    );
    return deleted === DELETE_BATCH_SIZE;
  }
}
