import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactsOrder1763700000009 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A list of a million contacts is not sorted to show its first page (docs/decisions/009-lists-at-millions.md).
      create index contacts_last_name on contacts (list_id, last_name, id);
      create index contacts_updated on contacts (list_id, updated_at, id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop index contacts_updated, contacts_last_name`);
  }
}
