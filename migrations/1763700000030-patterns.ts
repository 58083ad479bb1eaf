import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Patterns1763700000030 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Templates that operators have registered for an account (docs/decisions/021-groups-and-patterns-of-accounts.md).
      create table patterns (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        title text not null,
        type text not null,
        sender text,
        text text not null,
        "group" text not null check ("group" in ('service', 'transactional', 'advertising')),
        mccmnc text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index patterns_owner on patterns (owner_id, id)`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table patterns`);
  }
}
