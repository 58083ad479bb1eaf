import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Instances of the built-in gateway of demo installations. */
export class SimulatedPhones1763700000077 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table simulated_phones (
        id text primary key,
        key text not null unique,
        instance jsonb not null,
        created_at timestamptz not null default now()
      ) with (fillfactor = 50);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table simulated_phones`);
  }
}
