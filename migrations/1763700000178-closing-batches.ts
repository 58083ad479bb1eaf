import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Batches of which something has ended are noted, so that nobody looks for them among all that are open. */
export class ClosingBatches1763700000178 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table closing_batches (
        id bigint generated always as identity primary key,
        batch_id bigint not null
      )`);
    await q.query(
      `insert into closing_batches (batch_id) select id from batches where closed_at is null and stage in (3, 4)`,
    );
    // The event that its messages are being submitted has been sent, though nothing of it has left.
    await q.query(`alter table batches add is_announced boolean not null default false`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table batches drop is_announced`);
    await q.query(`drop table closing_batches`);
  }
}
