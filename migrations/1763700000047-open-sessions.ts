import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OpenSessions1763700000047 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table sessions
        -- Written at most once a minute.
        add last_used_at timestamptz not null default now(),
        -- The visit of the sign-in, which has its place. Visits are deleted before sessions are, so it is no foreign key.
        add visit_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table sessions drop visit_id, drop last_used_at`);
  }
}
