import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ResendAudiences1763700000426 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Which recipients of its origin a bulk is sent to; null: those who failed.
      alter table tasks add origin_audience text
        constraint tasks_origin_audience check (origin_audience in ('unclicked', 'unseen'))
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table tasks drop origin_audience`);
  }
}
