import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What processes say of themselves, when sweeps ran, and how the database grows. */
export class Installation1763700000241 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table processes (
        id uuid primary key,
        kind text not null,
        host text not null,
        pid integer not null,
        version text not null,
        build text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null,
        -- Cores in use, bytes in memory, and milliseconds that 99 % of the turns of its loop were late at most, since it was seen before.
        cpu real not null,
        memory bigint not null,
        delay_ms real not null
      );
      create table sweep_runs (
        name text primary key,
        ran_at timestamptz not null,
        ms integer not null,
        failed_at timestamptz,
        error text
      );
      create table database_sizes (
        day date primary key,
        size bigint not null
      );
    `);
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || '["installation.get"]'::jsonb)
        where grants->'add' ? 'users.all' and not grants->'add' ? 'installation.get'`,
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - 'installation.get') where grants->'add' ? 'installation.get'`,
    );
    await q.query(`drop table database_sizes, sweep_runs, processes`);
  }
}
