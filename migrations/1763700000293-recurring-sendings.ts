import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RecurringSendings1763700000293 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Bulks to contact lists and segments that are sent every day, week or month.
      create table recurring_sendings (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Who set it up or changed it last: each bulk is sent with the rights of this user, and of the token. Without a foreign key, because
        -- the rows of a removed token must not become those of its user.
        user_id uuid not null references users(id) on delete cascade,
        token_id uuid,
        title text not null collate "und-x-icu",
        type text not null,
        payload jsonb not null,
        fallbacks jsonb not null,
        recipient jsonb not null,
        schedule jsonb,
        callback_data text,
        frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
        weekdays jsonb not null,
        day smallint check (day between 1 and 31),
        "time" text not null,
        time_zone text not null,
        "from" date,
        until date,
        times integer,
        is_active boolean not null,
        -- Why it was paused by the installation, or ended.
        reason text,
        -- The due time of the next run, and when a worker looks at it: later, if it could not be run at that time.
        next_run_at timestamptz,
        attempt_at timestamptz,
        tries smallint not null default 0,
        runs integer not null default 0,
        failures integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check (is_active = (next_run_at is not null)),
        check (is_active = (attempt_at is not null))
      );
      create index recurring_sendings_owner on recurring_sendings (owner_id, created_at desc, id desc);
      create index recurring_sendings_user on recurring_sendings (user_id);
      create index recurring_sendings_due on recurring_sendings (attempt_at) where attempt_at is not null;
      -- One bulk, or one failure, of each due time.
      create table recurring_runs (
        recurring_id uuid not null references recurring_sendings(id) on delete cascade,
        due_at timestamptz not null,
        task_id uuid,
        code text,
        error text,
        created_at timestamptz not null default now(),
        primary key (recurring_id, due_at)
      )
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table recurring_runs`);
    await q.query(`drop table recurring_sendings`);
  }
}
