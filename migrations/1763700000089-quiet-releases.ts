import type { MigrationInterface, QueryRunner } from 'typeorm';

export class QuietReleases1763700000089 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When a batch that waits for the end of quiet hours would be due without them.
      alter table batches add postponed_from timestamptz;

      -- Accounts whose waiting batches are to be compared with their changed quiet hours.
      create table quiet_releases (
        owner_id uuid not null references users(id) on delete cascade,
        due_at timestamptz not null,
        -- The last batch that was compared.
        cursor bigint not null default 0,
        primary key (owner_id, due_at)
      );
      create index quiet_releases_due on quiet_releases (due_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table quiet_releases;
      alter table batches drop postponed_from;
    `);
  }
}
