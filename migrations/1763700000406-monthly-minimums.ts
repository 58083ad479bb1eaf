import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MonthlyMinimums1763700000406 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What the messages of an account cost at least in a month. A month that ends makes the next one, while there is a minimum.
      create table monthly_minimums (
        -- The origin of the ledger entry.
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- The first day of the month, which has the days of documents.
        period date not null check (date_trunc('month', period::timestamp) = period::timestamp),
        minimum numeric(18,4) not null check (minimum >= 0),
        currency text not null,
        -- The reseller that set it; null: the installation.
        reseller_id uuid references users(id) on delete cascade,
        -- What messages cost in the month. Null until it has ended.
        spent numeric(18,4),
        -- What is charged for the month, known when it has ended.
        fee numeric(18,4) check (fee >= 0),
        -- When a fee that is not paid yet is tried.
        retry_at timestamptz,
        charged_at timestamptz,
        -- The owner was told that the balance does not cover the fee.
        is_unpaid_told boolean not null default false,
        unique (owner_id, period),
        check ((spent is null) = (fee is null)),
        check (retry_at is null or fee > 0 and charged_at is null)
      );
      create index monthly_minimums_open on monthly_minimums (period) where spent is null;
      create index monthly_minimums_due on monthly_minimums (retry_at) where retry_at is not null;
      create index monthly_minimums_reseller on monthly_minimums (reseller_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table monthly_minimums`);
  }
}
