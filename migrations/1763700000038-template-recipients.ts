import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A list tells how many recipients a template has without reading them. */
export class TemplateRecipients1763700000038 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table templates
        add included int generated always as (jsonb_array_length(recipient -> 'include')) stored,
        add excluded int generated always as (jsonb_array_length(recipient -> 'exclude')) stored;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table templates drop included, drop excluded`);
  }
}
