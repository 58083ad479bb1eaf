import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DownSince1763700000095 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When the carrier of a batch was first found down. Null again after any other outcome.
      alter table batches add down_since timestamptz;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop down_since`);
  }
}
