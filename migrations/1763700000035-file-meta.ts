import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FileMeta1763700000035 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What is known of a file's content: width and height of an image, pages of a document. How long a sound plays is a column of its own.
      alter table files add meta jsonb not null default '{}';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table files drop meta`);
  }
}
