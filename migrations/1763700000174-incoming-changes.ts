import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an incoming message became visible; null for those before, which were when they were created. */
export class IncomingChanges1763700000174 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    // With a default from the beginning every row would be written.
    await q.query(`alter table sendings_incoming add changed_at timestamptz`);
    await q.query(`alter table sendings_incoming alter changed_at set default change_time()`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table sendings_incoming drop changed_at`);
  }
}
