import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TemplateVersions1763700000309 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- translations: texts by language that take the place of those of the payload and of the fallbacks.
      -- author_id, written_at: who wrote the present version, and when; the author is unknown for those of before.
      alter table templates
        add version int not null default 1,
        add translations jsonb not null default '[]',
        add author_id uuid references users(id) on delete set null,
        add written_at timestamptz not null default now();
      update templates set written_at = updated_at;
      create index templates_author on templates (author_id) where author_id is not null;
      -- What a template said before it was rewritten. Versions leave with their template.
      create table template_versions (
        template_id uuid not null references templates(id) on delete cascade,
        version int not null,
        type text not null,
        payload jsonb not null,
        fallbacks jsonb not null,
        translations jsonb not null,
        moderation text not null,
        author_id uuid references users(id) on delete set null,
        written_at timestamptz not null,
        primary key (template_id, version)
      );
      create index template_versions_author on template_versions (author_id) where author_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table template_versions;
      alter table templates drop version, drop translations, drop author_id, drop written_at;
    `);
  }
}
