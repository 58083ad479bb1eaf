import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TemplatesModeration1763700000008 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table templates add moderation text not null default 'pending'
        check (moderation in ('pending', 'approved', 'rejected'));
      alter table templates add comment text;
      -- What was in use before goes on as it was.
      update templates set moderation = 'approved';

      -- Errors of a task by code, from the index alone. A row enters it when it fails: both columns and the condition
      -- stay as they are in every other write, which therefore remains a HOT update.
      create index sendings_errors on sendings (group_id, error) include (amount)
        where failed_at is not null and group_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index sendings_errors;
      alter table templates drop comment, drop moderation;
    `);
  }
}
