import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnknownSince1763700000099 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When the outcome of a submit of a batch was first unknown; null while it was not.
      alter table batches add unknown_since timestamptz;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop unknown_since`);
  }
}
