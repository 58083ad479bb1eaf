import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Recovery1763700000011 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- One key for each user at most: a new one takes the place of the former, one that is used goes.
      create table recovery_keys (
        user_id uuid primary key references users(id) on delete cascade,
        -- SHA-256 of the key; the key itself is in the letter alone.
        key_hash bytea not null unique,
        expires_at timestamptz not null
      );
      create index users_email on users (lower(data->>'email'));
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index users_email;
      drop table recovery_keys;
    `);
  }
}
