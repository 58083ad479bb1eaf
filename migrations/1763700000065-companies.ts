import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Companies1763700000065 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A company that issues contracts, invoices and acts.
      create table companies (
        id uuid primary key default uuidv7(),
        -- Null: it issues documents to every account. Otherwise to this account and its customers.
        owner_id uuid references users(id) on delete cascade,
        title text not null,
        tax_system text not null check (tax_system in ('general', 'simplified', 'simplified5', 'simplified7')),
        prefix text not null default '',
        valid_days smallint not null default 5 check (valid_days > 0),
        -- The requisites that documents show.
        data jsonb not null,
        is_active boolean not null default true,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index companies_owner on companies (owner_id, created_at desc, id desc);

      create table document_templates (
        id uuid primary key default uuidv7(),
        -- That of the company.
        owner_id uuid references users(id) on delete cascade,
        company_id uuid not null references companies(id) on delete cascade,
        type text not null check (type in ('contract', 'invoice', 'act')),
        title text not null,
        blocks jsonb not null,
        is_active boolean not null default true,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      -- The template that a document is made with.
      create unique index document_templates_active on document_templates (company_id, type) where is_active;
      create index document_templates_owner on document_templates (owner_id, created_at desc, id desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table document_templates; drop table companies`);
  }
}
