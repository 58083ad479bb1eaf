import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How urgent single messages are: 1 before others, -1 after them. */
export class UrgencyOfSingles1763700000304 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches add column urgency smallint not null default 0`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop column urgency`);
  }
}
