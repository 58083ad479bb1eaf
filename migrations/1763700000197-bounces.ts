import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that do not exist, and people who complained. Rows of before have one of the former reasons, so none is looked at. */
export class Bounces1763700000197 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table suppressions drop constraint suppressions_reason_check,
        add constraint suppressions_reason_check
          check (reason in ('stop', 'link', 'manual', 'import', 'bounce', 'complaint')) not valid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      update suppressions set reason = 'manual' where reason in ('bounce', 'complaint');
      alter table suppressions drop constraint suppressions_reason_check,
        add constraint suppressions_reason_check check (reason in ('stop', 'link', 'manual', 'import'));
    `);
  }
}
