import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What calls cost whose carrier bills their length. */
export class CallCosts1763700000434 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Of calls that the carrier bills by their length, in seconds. The price is that of a minute.
      alter table purchase_prices
        add first smallint check (first > 0),
        add interval smallint check (interval > 0),
        add check ((first is null) = (interval is null));
      -- The units that the price is for: 60 of calls by their length, whose units are seconds. Rows without messages correct the units of such calls
      -- when a report tells how they ended, which is their submitted_at.
      alter table message_costs add price_units smallint not null default 1;

      create table call_costs (
        sending_id uuid primary key,
        -- Of the price; all null of a call that was reported before its submit was recorded.
        first smallint,
        interval smallint,
        mccmnc text,
        price numeric(18,6),
        currency text,
        -- Seconds that are noted: those of the text or recording until a report tells how the call ended.
        units integer not null check (units >= 0),
        -- For how long it was answered, by the carrier; null while that is not known.
        seconds integer check (seconds >= 0),
        check (num_nulls(first, interval, price, currency) in (0, 4)));
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table call_costs;
      alter table message_costs drop price_units;
      alter table purchase_prices drop first, drop interval;
    `);
  }
}
