import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SettingsUser1763700000044 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Personal settings. The keys are those of the contract.
      create table settings_user (
        user_id uuid not null references users(id) on delete cascade,
        key text not null,
        value jsonb not null,
        updated_at timestamptz not null default now(),
        primary key (user_id, key)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table settings_user`);
  }
}
