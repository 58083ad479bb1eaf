import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A worker with fewer sessions of a channel than another asks it for one, which is then kept free for it. */
export class WantedSessions1763700000180 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`alter table channel_sessions add wanted_by text`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table channel_sessions drop wanted_by`);
  }
}
