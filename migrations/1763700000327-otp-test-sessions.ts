import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of one-time codes that a test token has started: they reach nobody, cost nothing and confirm no number of a person. */
export class OtpTestSessions1763700000327 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table otp_sessions add is_test boolean not null default false`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table otp_sessions drop is_test`);
  }
}
