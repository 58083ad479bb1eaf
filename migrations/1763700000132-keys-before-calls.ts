import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key of a request that calls another party is claimed before the call, and names what the request has made. */
export class KeysBeforeCalls1763700000132 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table idempotency_keys add effect_id uuid, add running_until timestamptz;
      alter table payments add url text;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table payments drop url;
      alter table idempotency_keys drop running_until, drop effect_id;
    `);
  }
}
