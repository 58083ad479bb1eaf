import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactFieldTypes1763700000413 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What the values of a field are: text, number, date, boolean or choice. A choice has its values.
      alter table contact_fields add type text not null default 'text', add choices text[] not null default '{}'
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table contact_fields drop type, drop choices`);
  }
}
