import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a carrier takes from a channel in a second and in a day, and how much of that is used. */
export class RatesOfChannels1763700000157 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table channels
        add rate double precision check (rate > 0), add burst integer check (burst > 0), add per_day integer check (per_day > 0)`);
    await q.query(`
      alter table channel_states
        -- When all of the burst may be used again, in milliseconds since 1970; the last day of use, and the segments of it.
        add full_at double precision not null default 0, add used_on date, add used bigint not null default 0,
        -- The account of the bulk that was served last.
        add served uuid`);
    // Of a batch that an earlier version has written each message counts as one.
    await q.query(`alter table batches add segments integer`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop segments`);
    await q.query(`alter table channel_states drop full_at, drop used_on, drop used, drop served`);
    await q.query(`alter table channels drop rate, drop burst, drop per_day`);
  }
}
