import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Months of instances and dates of recurring payments are days of the account's time zone. Those that run keep their days, of UTC. */
export class ZonesOfSeries1763700000135 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table wapi_instances add time_zone text not null default 'UTC';
      alter table recurrent_payments add time_zone text not null default 'UTC';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table recurrent_payments drop time_zone;
      alter table wapi_instances drop time_zone;
    `);
  }
}
