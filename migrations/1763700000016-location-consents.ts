import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LocationConsents1763700000016 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Whether a person lets the country and city of its visits be noted; no row while it has not decided.
      create table location_consents (
        user_id uuid primary key references users(id) on delete cascade,
        is_allowed boolean not null,
        decided_at timestamptz not null,
        -- When a place was last looked up.
        located_at timestamptz
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table location_consents`);
  }
}
