import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that failed, for administrators: Redis keeps none. */
export class FailedJobs1763700000388 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table failed_jobs (
        id uuid primary key default uuidv7(),
        name text not null,
        queue text not null,
        payload jsonb not null,
        failed_at timestamptz not null,
        -- In a row, until it is done.
        failures integer not null default 1,
        error text not null,
        retried_at timestamptz,
        -- Since it failed last.
        done_at timestamptz,
        unique (name, payload)
      )
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table failed_jobs`);
  }
}
