import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A new channel is given more each day. */
export class WarmUp1763700000181 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table channels add warm_up integer check (warm_up > 0)`);
    // Days of use before the last one.
    await q.query(`alter table channel_states add used_days integer not null default 0`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table channel_states drop used_days`);
    await q.query(`alter table channels drop warm_up`);
  }
}
