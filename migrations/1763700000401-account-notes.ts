import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountNotes1763700000401 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What those who run an account write about it. Notes leave with their account.
      create table account_notes (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Who wrote it, also in a session opened by login-as.
        author_id uuid not null references users(id) on delete cascade,
        -- The account in which it was written: a reseller sees the notes of its own.
        author_owner_id uuid not null references users(id) on delete cascade,
        text text not null,
        changed_at timestamptz
      );
      create index account_notes_owner on account_notes (owner_id, id);
      create index account_notes_author on account_notes (author_id);
      create index account_notes_author_owner on account_notes (author_owner_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table account_notes`);
  }
}
