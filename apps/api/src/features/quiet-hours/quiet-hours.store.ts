import { Injectable } from '@nestjs/common';
import type { QuietHours } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

export type Values = Omit<QuietHours, 'OwnerId'>;

/** One row for each account that has set its quiet hours. */
@Injectable()
export class QuietHoursStore {
  constructor(private readonly db: Db) {}

  async get(scope: AccessScope, OwnerId: string): Promise<Values | undefined> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'q.owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<Values>(
      `select is_active as "isActive", starts as "from", ends as until, groups, singles, time_zone as "timeZone"
         from quiet_hours q where q.owner_id = $1 and ${within}`,
      values,
    );
    return row;
  }

  async set(OwnerId: string, given: Values): Promise<void> {
    await this.db.query(
      `insert into quiet_hours (owner_id, is_active, starts, ends, groups, singles, time_zone) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (owner_id) do update set is_active = excluded.is_active, starts = excluded.starts, ends = excluded.ends,
         groups = excluded.groups, singles = excluded.singles, time_zone = excluded.time_zone`,
      [
        OwnerId,
        given.isActive,
        given.from,
        given.until,
        given.groups,
        given.singles,
        given.timeZone,
      ],
    );
  }
}
