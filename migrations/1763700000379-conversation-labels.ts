import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ConversationLabels1763700000379 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    // As they are shown; of those that fold to the same text a conversation has one.
    await q.query(`alter table conversations add labels text[] not null default '{}'`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table conversations drop labels`);
  }
}
