import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of what messages were charged and cost, by ended day of UTC. */
export class Margins1763700000192 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table margins (
        day date not null,
        owner_id uuid not null,
        channel text not null,
        type smallint not null,
        mccmnc text,
        -- Of the cost; null where it is not known.
        currency text,
        messages bigint not null,
        units bigint not null,
        amount numeric(18,4) not null,
        refunded numeric(18,4) not null,
        cost numeric(18,6)
      );
      create unique index margins_day on margins (day, owner_id, channel, type, mccmnc, currency) nulls not distinct;
      -- Days whose sums are in margins; those of others are made of the messages.
      create table margin_days (day date primary key);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table margins, margin_days`);
  }
}
