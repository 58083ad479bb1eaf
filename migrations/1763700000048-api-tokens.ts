import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApiTokens1763700000048 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table tokens (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Whose rights the token has.
        user_id uuid not null references users(id) on delete cascade,
        description text not null,
        -- The readable beginning of the secret, and the SHA-256 of the whole secret.
        prefix text collate "C" not null unique,
        hash bytea not null,
        -- The former secret of a rotated token, valid until then.
        previous_prefix text collate "C" unique,
        previous_hash bytea,
        previous_until timestamptz,
        rotated_at timestamptz,
        ip_whitelist text[] not null default '{}',
        -- Null for all that the user has.
        permissions text[],
        expired_at timestamptz,
        -- When the owner was told that it expires, and that it has expired.
        expiring_notified_at timestamptz,
        expired_notified_at timestamptz,
        last_used_at timestamptz,
        last_used_ip text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check (num_nonnulls(previous_prefix, previous_hash, previous_until) in (0, 3))
      ) with (fillfactor = 90);
      create index tokens_owner on tokens (owner_id, created_at);
      create index tokens_user on tokens (user_id);
      create index tokens_expiry on tokens (expired_at) where expired_at is not null and expired_notified_at is null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table tokens`);
  }
}
