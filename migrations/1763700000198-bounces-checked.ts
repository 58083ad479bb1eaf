import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After the constraint is in force, without a lock that keeps anybody from writing. */
export class BouncesChecked1763700000198 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table suppressions validate constraint suppressions_reason_check`);
  }

  async down(): Promise<void> {
    // The former constraint comes back with the migration before.
  }
}
