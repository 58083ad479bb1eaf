import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when messages are to be given to their carrier. */
export class Validity1763700000185 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches add column valid_until timestamptz`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop column valid_until`);
  }
}
