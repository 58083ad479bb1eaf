import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An e-mail that the mail server refuses is sent again, a limited number of times. */
export class ReportEmailTries1763700000086 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table report_emails add column tries smallint not null default 0`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table report_emails drop column tries`);
  }
}
