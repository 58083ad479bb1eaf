import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tariffs that a reseller makes for its customers; those of the installation have no reseller. */
export class TariffsOfResellers1763700000210 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table tariffs add reseller_id uuid references users(id),
        add constraint tariffs_default_of_all check (not is_default or reseller_id is null);
      create index tariffs_reseller on tariffs (reseller_id) where reseller_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      delete from tariffs where reseller_id is not null;
      alter table tariffs drop reseller_id;
    `);
  }
}
