import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Resends1763700000166 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The bulk whose failed recipients this one is sent to.
      alter table tasks add origin_id uuid;
      -- The contact of a frozen recipient, whose values its text may need. A removed contact leaves the id behind.
      alter table task_phones add contact_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table task_phones drop contact_id;
      alter table tasks drop origin_id;
    `);
  }
}
