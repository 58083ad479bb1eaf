import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What messages of a period would cost by one tariff and by another, as a worker sums it up. */
export class TariffComparisons1763700000317 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table tariff_comparisons (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        -- A user has one, which the next one replaces.
        user_id uuid not null unique references users(id) on delete cascade,
        -- Whose tariffs they are: those of a reseller, or all.
        reseller_id uuid references users(id),
        -- The two tariffs with their rules, as they were at the request.
        sides jsonb not null,
        account_id uuid references users(id),
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        state text not null default 'pending' check (state in ('pending', 'running', 'completed', 'failed')),
        total integer,
        processed integer not null default 0,
        is_cut boolean not null default false,
        -- The account that is being read, and its last message that was.
        at_account uuid,
        at_message uuid,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index tariff_comparisons_open on tariff_comparisons (updated_at) where state in ('pending', 'running');

      create table tariff_comparison_rows (
        comparison_id uuid not null references tariff_comparisons(id) on delete cascade,
        owner_id uuid not null,
        type smallint not null,
        -- Of the operator; '' if it is not known.
        mccmnc text not null,
        messages integer not null,
        compared integer not null,
        billed numeric(18,4) not null,
        first numeric(18,4) not null,
        second numeric(18,4) not null,
        without_first integer not null,
        without_second integer not null,
        unknown integer not null,
        primary key (comparison_id, owner_id, type, mccmnc)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table tariff_comparison_rows, tariff_comparisons`);
  }
}
