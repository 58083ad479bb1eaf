import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NumberLookups1763700000360 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Of a look-up: what it says of the number. Of a message it is in \`data\`, and goes with it.
      alter table unmatched_reports add column lookup jsonb`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table unmatched_reports drop column lookup;
      update sendings set data = nullif(data - 'lookup', '{}') where data ? 'lookup'`);
  }
}
