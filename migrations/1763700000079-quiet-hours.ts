import type { MigrationInterface, QueryRunner } from 'typeorm';

export class QuietHours1763700000079 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Hours in which messages of an account wait, by the clock of the recipient.
      create table quiet_hours (
        owner_id uuid primary key references users(id) on delete cascade,
        is_active boolean not null,
        -- Minutes since midnight.
        starts smallint not null check (starts between 0 and 1439),
        ends smallint not null check (ends between 0 and 1439),
        groups text[] not null,
        singles boolean not null,
        time_zone text not null
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table quiet_hours`);
  }
}
