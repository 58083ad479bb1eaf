import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class SuspensionsStore {
  constructor(private readonly db: Db) {}

  /** Serialises suspensions of a user. Other transactions can still refer to the row, such as those that notify the user. */
  async lock(id: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [id]);
  }

  /** A null reason ends the suspension. */
  async set(id: string, reason: string | null): Promise<void> {
    await this.db.query(
      `update users set is_active = $2::text is null, suspension_reason = $2,
                        suspended_at = case when $2::text is not null then now() end, updated_at = now() where id = $1`,
      [id, reason],
    );
  }

  /** A closed account is suspended as well, from when it was closed. */
  async close(id: string, reason: string, at: Date): Promise<void> {
    await this.db.query(
      `update users set is_active = false, suspension_reason = $2, suspended_at = $3, closed_at = $3, updated_at = now() where id = $1`,
      [id, reason, at],
    );
  }

  async reopen(id: string): Promise<void> {
    await this.db.query(`update users set closed_at = null where id = $1`, [id]);
  }

  /** A user with those whose access ends with its own: all users of the account of a holder. */
  async usersOf(id: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select id from users where id = $1 or owner_id = $1 order by id`,
      [id],
    );
    return rows.map((row) => row.id);
  }
}
