import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IntegrationRefusals1763700000090 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Code and fields of the last refused call, which the cabinet translates. Rows of before have the English \`error\` alone.
      alter table integrations add refusal jsonb;

      -- What invoices are searched along: their number and the title of the payer's company details.
      create index invoices_words on invoices
        using gin (owner_id, doc_number gin_trgm_ops, (snapshot #>> '{titles,requisite}') gin_trgm_ops);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index invoices_words;
      alter table integrations drop refusal;
    `);
  }
}
