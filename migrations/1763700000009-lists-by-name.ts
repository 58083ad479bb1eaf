import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was still sorted or walked along (docs/decisions/009-lists-at-millions.md). */
export class ListsByName1763700000009 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A list of a million contacts is not sorted to show its first page.
      create index contacts_last_name on contacts (list_id, last_name, id);
      create index contacts_updated on contacts (list_id, updated_at, id);

      -- Which pages of the ledger name a tariff at all: a summary of 64 pages each, which an entry costs nothing to write.
      create index billings_tariff on billings using brin (tariff_id uuid_minmax_multi_ops) with (pages_per_range = 64);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop index billings_tariff, contacts_updated, contacts_last_name`);
  }
}
