import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Passkeys1763700000290 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table passkeys (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        title text not null,
        -- By which the device names it, in base64url.
        credential_id text not null unique,
        -- In COSE.
        public_key bytea not null,
        -- How often it has signed, where the device counts.
        sign_count bigint not null,
        transports text[] not null,
        is_synced boolean not null,
        -- When the last accepted challenge was issued: an older one is refused, and each is accepted once.
        challenged_at timestamptz not null,
        last_used_at timestamptz
      );
      create index passkeys_user on passkeys (user_id, id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table passkeys`);
  }
}
