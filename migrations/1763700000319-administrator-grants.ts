import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = ['packageOffers.create', 'packageOffers.update', 'wapi.activate'];

/** What new administrators have, those of before get, too. */
export class AdministratorGrants1763700000319 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    for (const grant of GRANTS)
      await q.query(
        `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || to_jsonb($1::text))
          where grants->'add' ? 'users.all' and not grants->'add' ? $1`,
        [grant],
      );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - $1::text[]) where grants->'add' ? 'users.all'`,
      [GRANTS],
    );
  }
}
