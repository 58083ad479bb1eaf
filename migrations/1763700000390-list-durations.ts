import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ListDurations1763700000390 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How long lists took, by hours and over all processes.
      create table list_durations (
        hour timestamptz not null,
        route text not null,
        -- By the steps of durationStep, from the first one.
        counts integer[] not null,
        -- In milliseconds.
        slowest integer not null,
        primary key (hour, route)
      )
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table list_durations`);
  }
}
