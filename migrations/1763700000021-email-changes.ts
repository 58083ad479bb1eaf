import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EmailChanges1763700000021 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- One for each user at most: an address that takes effect when the key of the letter to it is used.
      create table email_changes (
        user_id uuid primary key references users(id) on delete cascade,
        -- SHA-256 of the key; the key itself is in the letter alone.
        key_hash bytea not null unique,
        expires_at timestamptz not null,
        address text not null,
        -- What becomes of it: the e-mail, or a login that is an address, or both.
        is_email boolean not null,
        username text,
        requested_by uuid not null references users(id) on delete cascade
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table email_changes`);
  }
}
