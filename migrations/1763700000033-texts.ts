import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Texts1763700000033 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Whether what its messages say is still there, which goes some time after their end. Constant defaults: no table is
      -- rewritten.
      alter table batches add has_texts boolean not null default true;
      alter table tasks add has_texts boolean not null default true;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table tasks drop has_texts;
      alter table batches drop has_texts;
    `);
  }
}
