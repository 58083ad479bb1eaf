import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments at the built-in sandbox acquirer of demo installations. */
export class SandboxPayments1763700000058 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table sandbox_payments (
        id text primary key,
        reference text not null unique,
        payment jsonb not null,
        created_at timestamptz not null default now()
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table sandbox_payments`);
  }
}
