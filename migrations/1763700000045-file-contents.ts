import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FileContents1763700000045 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The name of the contents in the store where it is not the id of the file. Each attempt to make a report stores contents of
      -- its own, so that a late one neither overwrites nor removes those of another.
      alter table files add column contents_id uuid;
      create unique index files_contents on files (contents_id) where contents_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table files drop column contents_id`);
  }
}
