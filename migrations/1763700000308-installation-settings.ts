import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings that administrators change, in place of environment variables. */
export class InstallationSettings1763700000308 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table installation_settings (
        -- The name of the variable.
        name text primary key,
        value jsonb,
        -- A secret, encrypted by the key of the installation.
        sealed bytea,
        updated_at timestamptz not null,
        updated_by uuid references users on delete set null,
        check (num_nonnulls(value, sealed) = 1)
      );
    `);
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || '["installation.update"]'::jsonb)
        where grants->'add' ? 'users.all' and not grants->'add' ? 'installation.update'`,
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - 'installation.update') where grants->'add' ? 'installation.update'`,
    );
    await q.query(`drop table installation_settings`);
  }
}
