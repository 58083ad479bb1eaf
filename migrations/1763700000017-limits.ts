import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Limits1763700000017 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A carrier's call that is posted again parks nothing twice. The table holds a day's reports without a sending.
      delete from parked_reports a using parked_reports b
       where b.id < a.id and b.channel = a.channel and b.reference = a.reference
         and b.is_external = a.is_external and b.status = a.status;
      drop index parked_reports_reference;
      create unique index parked_reports_once on parked_reports (channel, reference, is_external, status);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index parked_reports_once;
      create index parked_reports_reference on parked_reports (channel, reference);
    `);
  }
}
