import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why and since when a user is suspended. Users that were deactivated before have neither. */
export class Suspensions1763700000170 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table users add suspended_at timestamptz, add suspension_reason text`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table users drop suspended_at, drop suspension_reason`);
  }
}
