import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Requisites1763700000055 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table requisites (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        title text not null,
        type text not null default 'business',
        contact jsonb not null,
        signer jsonb not null,
        -- Numbers of the organization and its bank, tax, addresses.
        data jsonb not null,
        attachments uuid[] not null default '{}',
        is_active boolean not null default true,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index requisites_owner on requisites (owner_id, created_at);
      create index requisites_created on requisites (created_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table requisites`);
  }
}
