import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Caps of API tokens count what packages cover: their counters are summed from the ledger anew. */
export class TokensUsePackages1763700000323 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      delete from spend_counters c using spend_caps p, balances m
       where p.id = c.cap_id and p.token_id is not null and m.owner_id = p.owner_id and m.has_packages`);
  }

  async down(q: QueryRunner): Promise<void> {
    await this.up(q);
  }
}
