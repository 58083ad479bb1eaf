import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Upkeep1763700000310 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When the installation was last backed up, and checked.
      create table installation_upkeep (
        name text primary key check (name in ('backup', 'verify')),
        at timestamptz not null,
        -- That a check has found.
        problems integer
      )
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table installation_upkeep`);
  }
}
