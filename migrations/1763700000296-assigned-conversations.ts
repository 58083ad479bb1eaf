import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AssignedConversations1763700000296 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The user of the account who answers. Without a foreign key, which would read the whole table: rows of users stay.
      alter table conversations add assignee_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table conversations drop assignee_id`);
  }
}
