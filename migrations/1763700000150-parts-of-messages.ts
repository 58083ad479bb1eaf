import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Carriers report each part of a message. A report of an unknown id is looked at again, because the submit that gives the id may be
 * recorded at the same moment; one of our own reference is never kept, since the message is there before its submit.
 */
export class PartsOfMessages1763700000150 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table carrier_refs
        add column part smallint not null default 1,
        add column parts smallint not null default 1,
        -- What the carrier has reported of the part, if the message has several.
        add column status smallint, add column code text, add column at timestamptz;
      delete from unmatched_reports where not is_external;
      alter table unmatched_reports
        drop column is_external,
        add column due_at timestamptz default now() + interval '1 second';
      create unique index unmatched_reports_once on unmatched_reports (channel, reference, status);
      create index unmatched_reports_due on unmatched_reports (due_at) where due_at is not null`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index unmatched_reports_once;
      alter table unmatched_reports drop column due_at, add column is_external boolean not null default true;
      alter table unmatched_reports alter column is_external drop default;
      create unique index unmatched_reports_once on unmatched_reports (channel, reference, is_external, status);
      alter table carrier_refs drop column part, drop column parts, drop column status, drop column code, drop column at`);
  }
}
