import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What sweeps look for has an index. */
export class Sweeps1763700000014 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create index files_expired on files (expired_at) where expired_at is not null;
      create index sessions_expires on sessions (expires_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop index sessions_expires, files_expired`);
  }
}
