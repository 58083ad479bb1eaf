import { Injectable } from '@nestjs/common';
import type { QuietHours } from '@heliograph/contract';
import { BATCH_STAGES } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

export type Values = Omit<QuietHours, 'OwnerId'>;

/** The comparison of an account's waiting batches with its changed hours. */
export interface Release {
  OwnerId: string;
  dueAt: Date;
  /** The last batch that was compared. */
  cursor: string;
}

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

  /** Changes of an account are made one after the other, so that each knows what it replaces. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
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

  /** Replaces the releases of the account. */
  async planReleases(OwnerId: string, dueAt: Date[]): Promise<void> {
    await this.db.query(`delete from quiet_releases where owner_id = $1`, [OwnerId]);
    await this.db.query(
      `insert into quiet_releases (owner_id, due_at) select $1, unnest($2::timestamptz[])`,
      [OwnerId, dueAt],
    );
  }

  /** Plans releases of all accounts with messages that wait, once the hours of a country have changed. False when none is due. */
  async planCountryReleases(now: Date): Promise<boolean> {
    const due = await this.db.execute(
      `delete from country_quiet_changes where due_at = (
         select due_at from country_quiet_changes where due_at <= $1 order by due_at limit 1 for update skip locked)`,
      [now],
    );
    if (!due) return false;
    const waits = `b.closed_at is null and b.stage = ${BATCH_STAGES.pending} and b.postponed_from is not null`;
    await this.db.query(
      `insert into quiet_releases (owner_id, due_at)
       select owner_id, $1 from (
         select b.owner_id from batches b where ${waits} and b.owner_id is not null
         union
         select s.owner_id from batches b cross join lateral (
           select s.owner_id from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id offset 0) s
          where ${waits} and b.owner_id is null) o
       order by owner_id
       on conflict do nothing`,
      [now],
    );
    return true;
  }

  /** Locks a due release until the transaction ends. */
  async lockRelease(now: Date): Promise<Release | undefined> {
    const [row] = await this.db.query<Release>(
      `select owner_id as "OwnerId", due_at as "dueAt", cursor from quiet_releases
        where due_at <= $1 order by due_at limit 1 for update skip locked`,
      [now],
    );
    return row;
  }

  /** Null at the end of the batches. */
  async setCursor({ OwnerId, dueAt }: Release, cursor: string | null): Promise<void> {
    const where = `where owner_id = $1 and due_at = $2`;
    if (cursor === null)
      await this.db.query(`delete from quiet_releases ${where}`, [OwnerId, dueAt]);
    else
      await this.db.query(`update quiet_releases set cursor = $3 ${where}`, [
        OwnerId,
        dueAt,
        cursor,
      ]);
  }
}
