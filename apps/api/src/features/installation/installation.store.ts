import { Injectable } from '@nestjs/common';
import type { installation, ResponseOf } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';

type State = ResponseOf<typeof installation.get>;

/** As the database has it. */
type WithDates<T> = {
  [K in keyof T]: K extends `${string}At` ? Exclude<T[K], string> | Date : T[K];
};

/** What processes, sweeps and the database say of themselves. */
@Injectable()
export class InstallationStore {
  constructor(private readonly db: Db) {}

  processes(): Promise<WithDates<Omit<State['processes'][number], 'isLost'>>[]> {
    return this.db.query(
      `select id, kind, host, pid, version, build, started_at as "startedAt", seen_at as "seenAt", cpu::float8, memory::float8, delay_ms::float8 as delay
         from processes order by kind, started_at limit 1000`,
    );
  }

  sweeps(): Promise<WithDates<State['sweeps'][number]>[]> {
    return this.db.query(
      `select name, ran_at as "ranAt", ms, failed_at as "failedAt", error from sweep_runs
        order by failed_at desc nulls last, name`,
    );
  }

  async upkeep(): Promise<{
    backupAt: Date | null;
    verify: { at: Date; problems: number } | null;
  }> {
    const rows = await this.db.query<{ name: string; at: Date; problems: number | null }>(
      `select name, at, problems from installation_upkeep`,
    );
    const of = (name: string) => rows.find((row) => row.name === name);
    const verify = of('verify');
    return {
      backupAt: of('backup')?.at ?? null,
      verify: verify ? { at: verify.at, problems: verify.problems! } : null,
    };
  }

  /** The growth is that a day between the first and the last day that are known of the last 30. */
  async database(): Promise<{ version: string; size: number; growth: number | null }> {
    const [row] = await this.db.query<{ version: string; size: number; growth: number | null }>(
      `with known as (select day, size from database_sizes where day > (select max(day) from database_sizes) - 30)
       select split_part(current_setting('server_version'), ' ', 1) as version,
              pg_database_size(current_database())::float8 as size,
              (select (l.size - f.size)::float8 / (l.day - f.day)
                 from (select * from known order by day limit 1) f, (select * from known order by day desc limit 1) l
                where l.day > f.day) as growth`,
    );
    return row!;
  }

  largestTables(): Promise<State['database']['tables']> {
    // The statistics of rows are the primary's own.
    this.db.requirePrimary();
    return this.db.query(
      `select c.relname as name, pg_total_relation_size(c.oid)::float8 as size, coalesce(nullif(c.reltuples, -1), s.n_live_tup, 0)::float8 as rows
         from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        order by pg_total_relation_size(c.oid) desc limit 10`,
    );
  }

  durations(since: Date): Promise<{ route: string; counts: number[]; slowest: number }[]> {
    return this.db.query(`select route, counts, slowest from list_durations where hour >= $1`, [
      since,
    ]);
  }

  async removeDurations(before: Date): Promise<void> {
    await this.db.query(`delete from list_durations where hour < $1`, [before]);
  }

  async removeLost(before: Date): Promise<void> {
    await this.db.query(`delete from processes where seen_at < $1`, [before]);
  }

  async noteSize(now: Date): Promise<void> {
    await this.db.query(
      `insert into database_sizes (day, size) values (($1::timestamptz at time zone 'UTC')::date, pg_database_size(current_database()))
       on conflict (day) do update set size = excluded.size`,
      [now],
    );
  }
}

/** Notes what an operator has done just now. `problems` are those that a check has found. */
export async function noteUpkeep(
  db: Db,
  name: 'backup' | 'verify',
  problems?: number,
): Promise<void> {
  await db.query(
    `insert into installation_upkeep (name, at, problems) values ($1, now(), $2)
     on conflict (name) do update set at = excluded.at, problems = excluded.problems`,
    [name, problems ?? null],
  );
}
