import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time of a change is that of its id, by which lists are ordered and filtered. */
export class TimeOfShareShifts1763700000314 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table share_shifts drop column created_at`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table share_shifts add column created_at timestamptz not null default now();
      update share_shifts set created_at = uuid_extract_timestamp(id)
    `);
  }
}
