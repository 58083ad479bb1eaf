import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who clicked the short links of bulks that tell it. */
export class LinkClicks1763700000414 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table click_tasks (
        -- In the codes of the recipients.
        id integer generated always as identity primary key,
        -- Named before the task is written, whose request has it.
        task_id uuid not null unique references tasks on delete cascade deferrable initially deferred,
        link_ids uuid[] not null
      )
    `);
    await q.query(`
      create table click_recipients (
        click_task_id integer not null references click_tasks on delete cascade,
        first_number integer not null,
        -- From the first number on; null for a recipient who is skipped.
        sending_ids uuid[] not null,
        primary key (click_task_id, first_number)
      )
    `);
    await q.query(`
      create table link_clicks (
        -- The first attempt.
        sending_id uuid not null,
        link_id uuid not null references links on delete cascade,
        task_id uuid not null references tasks on delete cascade,
        owner_id uuid not null references users on delete cascade,
        address text not null,
        clicks integer not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        primary key (sending_id, link_id)
      )
    `);
    await q.query(`create index link_clicks_task on link_clicks (task_id, link_id)`);
    await q.query(`create index link_clicks_link on link_clicks (link_id)`);
    await q.query(`create index link_clicks_address on link_clicks (owner_id, address, last_at)`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table link_clicks, click_recipients, click_tasks`);
  }
}
