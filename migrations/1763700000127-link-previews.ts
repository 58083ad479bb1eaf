import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visits of short links by programs, apart from the clicks of people. */
export class LinkPreviews1763700000127 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table links add column previews integer not null default 0`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table links drop column previews`);
  }
}
