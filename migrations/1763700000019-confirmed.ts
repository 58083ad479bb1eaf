import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Confirmed1763700000019 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When the user proved to have the e-mail and the phone in its data; null after either has changed.
      alter table users add email_confirmed_at timestamptz, add phone_confirmed_at timestamptz;
      -- Accounts that pay were never asked for a proof: limits for unconfirmed accounts must not stop their traffic.
      update users set email_confirmed_at = now(), phone_confirmed_at = now() where not is_test;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table users drop email_confirmed_at, drop phone_confirmed_at`);
  }
}
