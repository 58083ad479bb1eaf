import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Payments1763700000057 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table payments (
        -- Also the reference at the acquirer: the row is committed before the acquirer is called.
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        created_by uuid,
        method text not null,
        -- Credited to the balance; the payer pays the commission in addition.
        amount numeric(18,4) not null check (amount > 0 and amount = round(amount, 2)),
        commission numeric(18,4) not null default 0 check (commission >= 0 and commission = round(commission, 2)),
        currency text not null,
        status text not null default 'init'
          check (status in ('init', 'completed', 'refundRequested', 'refunded', 'partialRefunded', 'error')),
        reason text,
        refunded numeric(18,4) not null default 0 check (refunded >= 0 and refunded <= amount),
        external_id text,
        card_number text,
        url_success text not null,
        url_fail text not null,
        -- A payment by a customer, the first one of a recurrent payment, or a charge of its saved card.
        kind text not null default 'single' check (kind in ('single', 'first', 'charge')),
        recurrent_payment_id uuid,
        -- When the acquirer is queried next; null when nothing is open.
        next_query_at timestamptz,
        queries int not null default 0,
        expires_at timestamptz not null,
        completed_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((kind = 'single') = (recurrent_payment_id is null))
      ) with (fillfactor = 80);
      create index payments_owner on payments (owner_id, id);
      create index payments_status on payments (status, id);
      create index payments_query on payments (next_query_at) where next_query_at is not null;
      create index payments_recurrent on payments (recurrent_payment_id, id) where recurrent_payment_id is not null;
      -- One charge in flight per account.
      create unique index payments_charge on payments (owner_id) where kind = 'charge' and status = 'init';

      create table payment_refunds (
        -- Also the idempotency key at the acquirer.
        id uuid primary key default uuidv7(),
        payment_id uuid not null references payments(id) on delete cascade,
        amount numeric(18,4) not null check (amount > 0 and amount = round(amount, 2)),
        status text not null check (status in ('requested', 'done', 'failed')),
        is_external boolean not null default false,
        shortfall numeric(18,4) not null default 0,
        created_by uuid,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index payment_refunds_payment on payment_refunds (payment_id, id);
      create unique index payment_refunds_open on payment_refunds (payment_id) where status = 'requested';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table payment_refunds; drop table payments`);
  }
}
