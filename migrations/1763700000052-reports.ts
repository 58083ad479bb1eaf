import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reports1763700000052 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A report that a worker writes to the storage. Its file has the same id.
      create table reports (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Whose access scope, level and permissions decide what it contains.
        user_id uuid not null references users(id) on delete cascade,
        schedule_id uuid,
        preset text not null,
        format text not null,
        encoding text not null,
        delimiter text not null,
        locale text not null,
        time_zone text not null,
        -- The filter, with both bounds of the time range.
        "where" jsonb not null,
        filename text not null,
        state text not null default 'pending'
          check (state in ('pending', 'running', 'completed', 'failed', 'cancelled')),
        reason text,
        rows integer not null default 0,
        total integer,
        replaced integer not null default 0,
        size bigint,
        expires_at timestamptz,
        -- How often it was begun. Each beginning has a fencing token of its own.
        attempts smallint not null default 0,
        lease integer not null default 0,
        lease_until timestamptz,
        started_at timestamptz,
        finished_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index reports_owner on reports (owner_id, created_at desc, id desc);
      create index reports_unfinished on reports (owner_id, created_at) where state in ('pending', 'running');
      create index reports_leased on reports (lease_until) where state = 'running';
      -- When an account was served last: the account that waited longest is next.
      create index reports_started on reports (owner_id, started_at desc) where started_at is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table reports`);
  }
}
