import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A channel that is down is left alone for a while, and then tried with one call. */
export class BreakersOfChannels1763700000143 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table channel_states add column failures smallint not null default 0,
        -- When the last failed call ended, and until when no other is made.
        add column opened_at timestamptz, add column open_until timestamptz`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `alter table channel_states drop column failures, drop column opened_at, drop column open_until`,
    );
  }
}
