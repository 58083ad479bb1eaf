import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADDED = `'["tariffs.create","tariffs.update","tariffs.remove"]'::jsonb`;

/** Administrators of before change tariffs, too. */
export class TariffGrants1763700000172 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || ${ADDED})
        where grants->'add' ? 'users.all' and not grants->'add' ? 'tariffs.create'`,
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - array['tariffs.create', 'tariffs.update', 'tariffs.remove'])
        where grants->'add' ? 'tariffs.create'`,
    );
  }
}
