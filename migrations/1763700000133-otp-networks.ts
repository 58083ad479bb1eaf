import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The network from which a one-time code was requested: the wait between sessions of a number is that of its network. Whether a new
 * widget requires a captcha is said by the contract alone; those that exist keep their setting.
 */
export class OtpNetworks1763700000133 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table otp_sessions add network text;
      alter table otp_widgets alter captcha_is_required drop default;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table otp_widgets alter captcha_is_required set default false;
      alter table otp_sessions drop network;
    `);
  }
}
