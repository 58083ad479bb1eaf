import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rates at which channels and their limits were used, so that what is owed at one comes back at another. */
export class RatesOfUses1763700000435 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Of full_at. Null: without a rate, or by a process of a former release.
      alter table channel_states add use_rate double precision check (use_rate > 0);
      alter table channel_limit_uses add use_rate double precision check (use_rate > 0);
      update channel_states s set use_rate = c.rate from channels c where c.name = s.channel and c.rate is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table channel_limit_uses drop use_rate;
      alter table channel_states drop use_rate;
    `);
  }
}
