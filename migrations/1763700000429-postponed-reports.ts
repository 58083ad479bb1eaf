import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PostponedReports1763700000429 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How often a report was postponed because the database had no room. Until then is in lease_until.
      alter table reports add postponed smallint not null default 0
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table reports drop postponed`);
  }
}
