import { Injectable } from '@nestjs/common';
import { Db } from '../db/db.ts';
import { JOBS, type JobName } from './catalog.ts';

export interface FailedJobRow {
  id: string;
  name: JobName;
  queue: string;
  payload: object;
  failedAt: Date;
  failures: number;
  error: string;
  retriedAt: Date | null;
  doneAt: Date | null;
}

const COLUMNS = `id, name, queue, payload, failed_at as "failedAt", failures, error, retried_at as "retriedAt", done_at as "doneAt"`;
/** Those that fail first. */
const ORDER = `done_at is not null, failed_at desc, id`;
const MAX_ROWS = 1000;

/** The jobs that failed. A job and its payload have one row. */
@Injectable()
export class FailedJobsStore {
  constructor(private readonly db: Db) {}

  async failed(
    job: { name: string; queue: string; payload: object },
    at: Date,
    error: string,
  ): Promise<void> {
    await this.db.query(
      `insert into failed_jobs as f (name, queue, payload, failed_at, error) values ($1, $2, $3, $4, $5)
       on conflict (name, payload) do update set queue = excluded.queue, failed_at = excluded.failed_at, error = excluded.error, done_at = null,
              failures = case when f.done_at is null then f.failures + 1 else 1 end`,
      [job.name, job.queue, job.payload, at, error],
    );
  }

  async done(jobs: { name: string; payload: object; at: Date }[]): Promise<void> {
    await this.db.query(
      `with done as (
         select f.id, d.at from failed_jobs f join unnest($1::text[], $2::jsonb[], $3::timestamptz[]) d (name, payload, at) using (name, payload)
          where f.done_at is null and f.failed_at <= d.at
          order by f.id for update of f)
       update failed_jobs f set done_at = done.at from done where f.id = done.id`,
      [
        jobs.map(({ name }) => name),
        jobs.map(({ payload }) => JSON.stringify(payload)),
        jobs.map(({ at }) => at),
      ],
    );
  }

  find(limit: number): Promise<FailedJobRow[]> {
    return this.db.query(`select ${COLUMNS} from failed_jobs order by ${ORDER} limit $1`, [limit]);
  }

  /** Marks those that still fail: one by its id, or all of a queue. */
  retried(of: { id: string } | { queue: string }, at: Date): Promise<FailedJobRow[]> {
    const [column, value] = 'id' in of ? ['id', of.id] : ['queue', of.queue];
    return this.db.query(
      `update failed_jobs set retried_at = $2 where ${column} = $1 and done_at is null returning ${COLUMNS}`,
      [value, at],
    );
  }

  async remove(id: string): Promise<FailedJobRow | undefined> {
    const [row] = await this.db.query<FailedJobRow>(
      `delete from failed_jobs where id = $1 returning ${COLUMNS}`,
      [id],
    );
    return row;
  }

  /** Drops what failed long ago, jobs of former versions, and of the others what is more than a person reads. */
  async bound(before: Date): Promise<void> {
    await this.db.query(
      `delete from failed_jobs where id not in (
         select id from failed_jobs where failed_at >= $1 and name = any($2) order by ${ORDER} limit ${MAX_ROWS})`,
      [before, Object.keys(JOBS)],
    );
  }
}
