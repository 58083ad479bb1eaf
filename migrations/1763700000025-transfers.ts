import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Transfers1763700000025 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Of a transfer between two accounts: the entry on the other account, which names this one. Without a default the
      -- table is not rewritten, and no index is made: counterparts are looked up by primary key.
      alter table billings add counterpart_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table billings drop counterpart_id`);
  }
}
