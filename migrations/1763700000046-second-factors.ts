import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecondFactors1763700000046 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table second_factors (
        user_id uuid primary key references users(id) on delete cascade,
        -- Of the TOTP, encrypted with the key of the installation.
        secret bytea not null,
        -- Of the hashes of recovery codes.
        salt bytea not null,
        -- The last accepted time step: every step is accepted once.
        last_step bigint not null default 0,
        -- Null while it is being set up.
        enabled_at timestamptz,
        created_at timestamptz not null default now()
      );

      -- A code is deleted when it is used.
      create table recovery_codes (
        user_id uuid not null references second_factors(user_id) on delete cascade,
        code_hash bytea not null,
        primary key (user_id, code_hash)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table recovery_codes, second_factors`);
  }
}
