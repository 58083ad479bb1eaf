import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RecurrentPayments1763700000059 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table recurrent_payments (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        created_by uuid not null,
        type text not null check (type in ('threshold', 'frequency')),
        threshold numeric(18,4),
        frequency text check (frequency in ('daily', 'weekly', 'monthly')),
        method text not null,
        amount numeric(18,4) not null check (amount > 0 and amount = round(amount, 2)),
        currency text not null,
        status text not null default 'init' check (status in ('block', 'error', 'init', 'pause', 'ready')),
        card_number text,
        -- Encrypted; the acquirer charges the card by it.
        card_token bytea,
        -- Failed charges in a row.
        failures int not null default 0,
        -- Of a threshold: the balance was above it since the last charge.
        is_armed boolean not null default true,
        -- Of a frequency: the first date of the series.
        anchor timestamptz,
        -- No charge before this time.
        next_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((type = 'threshold') = (threshold is not null)),
        check ((type = 'frequency') = (frequency is not null)),
        check (status not in ('ready', 'pause') or card_token is not null)
      );
      create index recurrent_payments_owner on recurrent_payments (owner_id, id);
      create index recurrent_payments_due on recurrent_payments (next_at) where status = 'ready' and type = 'frequency';
      create index recurrent_payments_threshold on recurrent_payments (owner_id) where status = 'ready' and type = 'threshold';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table recurrent_payments`);
  }
}
