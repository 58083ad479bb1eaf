import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChannelStates1763700000028 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A removed channel keeps its name: carrier_refs and batches go on naming it.
      alter table channels add removed_at timestamptz;

      -- How a channel does. Written once a second by whoever hands over and takes reports, apart from its settings.
      create table channel_states (
        channel text primary key references channels(name) on delete cascade,
        failing_since timestamptz,
        error text,
        error_at timestamptz,
        handed bigint not null default 0,
        handed_at timestamptz,
        reported_at timestamptz
      ) with (fillfactor = 50);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table channel_states;
      delete from channels where removed_at is not null;
      alter table channels drop removed_at`);
  }
}
