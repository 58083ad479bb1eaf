import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What caused an entry: a payment, a refund of one, an invoice, a referral bonus or a row of a bulk operation. */
export class EntryOrigins1763700000061 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table billings add origin smallint, add origin_id uuid`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table billings drop origin, drop origin_id`);
  }
}
