import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that are made of rows are read with the permission that reads the rows. */
export class PermissionsOfFiles1763700000134 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table files add permission text;
      update files f set permission = case when r.preset like 'billings.%' then 'billings.find' else 'sendings.get' end
        from reports r where r.id = f.id;
      update files f set permission = 'invoices.get' from invoices i where i.document_id = f.id;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table files drop permission`);
  }
}
