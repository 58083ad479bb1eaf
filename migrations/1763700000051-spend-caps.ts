import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SpendCaps1763700000051 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Whether the account has spend caps. The update of a charge returns it, so that accounts without caps need no further statement.
      alter table balances add has_caps boolean not null default false;
      -- The API token that caused the charge. Not a reference: entries outlive tokens.
      alter table billings add token_id uuid;
      -- The API token that created the task; the charges of its messages count for it.
      alter table tasks add token_id uuid;

      create table spend_caps (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Null: of the account.
        token_id uuid references tokens(id) on delete cascade,
        period text not null check (period in ('day', 'month')),
        amount numeric(18,4) not null check (amount >= 0),
        time_zone text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        unique nulls not distinct (owner_id, token_id, period)
      );
      -- What was spent in a period of a cap: the sum of the charges of the period. Written under the lock of the balance.
      create table spend_counters (
        cap_id uuid not null references spend_caps(id) on delete cascade,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        spent numeric(18,4) not null,
        -- The share of the cap in percent that the owner was notified of.
        notified smallint not null default 0,
        primary key (cap_id, starts_at)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table spend_counters, spend_caps;
      alter table tasks drop token_id;
      alter table billings drop token_id;
      alter table balances drop has_caps;
    `);
  }
}
