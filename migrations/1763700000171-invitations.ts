import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A user that an operator has created has no password until it follows its invitation. A key that was shown to the operator, and not sent
 * by e-mail, confirms no address.
 */
export class Invitations1763700000171 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table users add invited_at timestamptz`);
    await q.query(`alter table recovery_keys add is_emailed boolean not null default true`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table recovery_keys drop is_emailed`);
    await q.query(`alter table users drop invited_at`);
  }
}
