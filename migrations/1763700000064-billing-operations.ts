import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BillingOperations1763700000064 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A spreadsheet of balance operations: previewed, then entered as the task with the same id.
      create table billing_operations (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        user_id uuid not null references users(id),
        state text not null default 'previewed' check (state in ('previewed', 'running', 'finished')),
        filename text not null,
        hash text not null,
        sheet text,
        locale text not null default 'en',
        rows integer not null default 0,
        ready integer not null default 0,
        repeated integer not null default 0,
        reasons jsonb not null default '{}',
        sums jsonb not null default '[]',
        report_id uuid,
        lease integer not null default 0,
        lease_until timestamptz,
        started_at timestamptz,
        finished_at timestamptz
      );
      create index billing_operations_owner on billing_operations (owner_id, state, id);
      create index billing_operations_hash on billing_operations (owner_id, hash, id) where state <> 'previewed';
      create index billing_operations_running on billing_operations (id) where state = 'running';
      -- Its id is the origin of the ledger entry.
      create table billing_operation_rows (
        id uuid primary key default uuidv7(),
        operation_id uuid not null references billing_operations(id) on delete cascade,
        n integer not null,
        account text not null,
        account_id uuid,
        currency text,
        amount numeric(18,4),
        comment text,
        is_repeated boolean not null default false,
        outcome text check (outcome in ('applied', 'refused', 'cancelled')),
        reason text,
        unique (operation_id, n),
        check ((outcome is not null and outcome <> 'applied') = (reason is not null)),
        check (outcome = 'refused' or account_id is not null and amount is not null and currency is not null)
      );
      create index billing_operation_rows_open on billing_operation_rows (operation_id, n) where outcome is null;
      create index billing_operation_rows_refused on billing_operation_rows (operation_id, n) where outcome = 'refused';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table billing_operation_rows, billing_operations`);
  }
}
