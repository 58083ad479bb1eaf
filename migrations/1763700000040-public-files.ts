import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PublicFiles1763700000040 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The unguessable part of the address at which a public file is read without a session.
      alter table files add public_key text;
      update files set public_key = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') where is_public;
      alter table files add constraint files_public_key check (is_public = (public_key is not null));
      create unique index files_by_public_key on files (public_key) where public_key is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table files drop public_key`);
  }
}
