import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Contracts1763700000230 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table contracts (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        title text not null,
        tags text[] not null default '{}',
        -- Without references: a contract outlives the entries of its sides.
        requisite_id uuid not null,
        company_id uuid not null,
        file_id uuid not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        unique (owner_id, requisite_id, company_id)
      );
      create index contracts_owner on contracts (owner_id, created_at);
      create index contracts_created on contracts (created_at);
      create index contracts_file on contracts (file_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table contracts`);
  }
}
