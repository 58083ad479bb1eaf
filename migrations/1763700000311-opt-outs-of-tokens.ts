import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OptOutsOfTokens1763700000311 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The token that has worded the confirmations; null: the account itself. Without a foreign key, because those of a removed token must
      -- not become the account's.
      alter table opt_out_settings add column token_id uuid
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table opt_out_settings drop column token_id`);
  }
}
