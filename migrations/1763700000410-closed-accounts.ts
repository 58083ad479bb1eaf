import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ClosedAccounts1763700000410 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A closed account is suspended as well, for the reason of its closing.
      alter table users add closed_at timestamptz, add constraint users_closed check (closed_at is null or not is_active and owner_id = id);
      create index users_closed_at on users (closed_at) where closed_at is not null;
      -- What settlements of closed accounts did to balances.
      create table account_settlements (
        -- The origin of the ledger entry.
        id uuid primary key default uuidv7(),
        -- Whose balance: that of the closed account, or of the reseller that closed it.
        owner_id uuid not null references users(id) on delete cascade,
        -- The closed account.
        account_id uuid not null references users(id) on delete cascade,
        amount numeric(18,4) not null check (amount <> 0)
      );
      create index account_settlements_owner on account_settlements (owner_id);
      create index account_settlements_account on account_settlements (account_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table account_settlements;
      alter table users drop closed_at;
    `);
  }
}
