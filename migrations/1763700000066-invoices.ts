import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Invoices1763700000066 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The last number of a company and year. Its row is locked until the document's row is committed, so numbers have no gap.
      create table invoice_counters (
        company_id uuid not null references companies(id),
        type text not null,
        year smallint not null,
        last integer not null,
        primary key (company_id, type, year)
      );

      -- Invoices and acts. Nothing in a row changes after it was issued but its status and its e-mails.
      create table invoices (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        type text not null check (type in ('invoice', 'act')),
        source text not null check (source in ('user', 'system')),
        status text not null default 'pending' check (status in ('pending', 'paid', 'rejected')),
        amount numeric(18, 2) not null check (amount > 0),
        currency text not null,
        -- In percent; null without VAT.
        vat_rate smallint,
        vat_amount numeric(18, 2) not null default 0,
        company_id uuid not null references companies(id),
        -- Without a reference: a requisite may be deleted while its invoices remain.
        requisite_id uuid,
        year smallint not null,
        number integer not null,
        doc_number text not null,
        -- The calendar day of the document.
        day date not null,
        -- The first day of the month of an act.
        period date,
        valid_until timestamptz,
        -- Everything that the document shows, as it was on that day: it can be made again and is the same.
        snapshot jsonb not null,
        document_id uuid not null unique,
        -- When its file was stored; null while it is still to be made.
        made_at timestamptz,
        reason text,
        paid_at timestamptz,
        paid_by uuid,
        rejected_at timestamptz,
        rejected_by uuid,
        email_to text,
        email_locale text,
        email_attempts smallint not null default 0,
        -- When the next attempt is due; null when there is none.
        email_due timestamptz,
        email_sent_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((type = 'act') = (period is not null)),
        check ((status = 'paid') = (paid_at is not null)),
        check ((status = 'rejected') = (rejected_at is not null))
      );
      create unique index invoices_number on invoices (company_id, type, year, number);
      create unique index invoices_act on invoices (owner_id, period) where type = 'act';
      create index invoices_doc_number on invoices (doc_number, created_at desc);
      create index invoices_owner on invoices (owner_id, created_at desc, id desc);
      create index invoices_created on invoices (created_at desc, id desc);
      create index invoices_pending on invoices (owner_id) where status = 'pending';
      create index invoices_unmade on invoices (created_at) where made_at is null;
      create index invoices_email on invoices (email_due) where email_due is not null;

      -- Months whose acts were made, by account: an account without charges has no act.
      create table act_months (
        period date primary key,
        -- The last account that was looked at; null when all were.
        after uuid,
        completed_at timestamptz
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table act_months; drop table invoices; drop table invoice_counters`);
  }
}
