import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TemplateGroups1763700000029 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What a message by the template is for operators: prices may ask for it (docs/decisions/017-groups-of-messages.md).
      alter table templates add "group" text not null default 'advertising'
        check ("group" in ('service', 'transactional', 'advertising'));
      create index templates_grouped on templates (owner_id)
        where moderation = 'approved' and is_active and "group" <> 'advertising'`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table templates drop "group"`);
  }
}
