import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Segments1763700000315 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Saved filters of contacts. Bulks keep a copy of those that they began with.
      create table segments (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        title text not null collate "und-x-icu",
        "where" jsonb not null default '{}',
        activity jsonb not null default '[]',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index segments_owner on segments (owner_id, created_at desc)
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table segments`);
  }
}
