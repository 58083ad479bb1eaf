import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EmailSettings1763700000424 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How the e-mails of accounts are sent; one row for each account that has changed it.
      create table email_settings (
        owner_id uuid primary key references users(id) on delete cascade,
        -- Whether formatted e-mails have an image that tells when they are opened.
        tells_opened boolean not null
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table email_settings`);
  }
}
