import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReportSchedules1763700000050 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Reports that are made every day, week or month for a person.
      create table report_schedules (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Who receives the e-mails, and whose access scope, level and permissions apply.
        user_id uuid not null references users(id) on delete cascade,
        preset text not null,
        format text not null,
        encoding text not null,
        delimiter text not null,
        locale text not null,
        time_zone text not null,
        -- The filter without a time range.
        "where" jsonb not null,
        frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
        weekday smallint check (weekday between 1 and 7),
        day smallint check (day between 1 and 31),
        hour smallint not null check (hour between 0 and 23),
        is_active boolean not null,
        -- Why it was stopped.
        reason text,
        next_run_at timestamptz,
        last_run_at timestamptz,
        -- The start of the last period of which a report was requested.
        last_period timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check (is_active = (next_run_at is not null))
      );
      create index report_schedules_owner on report_schedules (owner_id, created_at desc, id desc);
      create index report_schedules_due on report_schedules (next_run_at) where next_run_at is not null;
      -- E-mails about scheduled reports that are not sent yet. Each is due again if the worker is killed while it sends it.
      create table report_emails (
        report_id uuid primary key,
        due_at timestamptz not null default now()
      );
      create index report_emails_due on report_emails (due_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table report_emails`);
    await q.query(`drop table report_schedules`);
  }
}
