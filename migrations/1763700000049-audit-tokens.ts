import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditTokens1763700000049 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The API token of the request. The prefix outlives the token.
      alter table audit_log add token_id uuid, add token_prefix text;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table audit_log drop token_id, drop token_prefix`);
  }
}
