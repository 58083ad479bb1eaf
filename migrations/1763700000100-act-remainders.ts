import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ActRemainders1763700000100 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Months whose charges are counted in acts, and what each leaves to the next one: fractions of a kopeck, less refunds that exceed
      -- its charges.
      create table act_remainders (
        owner_id uuid not null references users(id),
        period date not null,
        remainder numeric(18,4) not null,
        primary key (owner_id, period)
      );
      insert into act_remainders (owner_id, period, remainder)
        select owner_id, period, 0 from invoices where type = 'act';
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table act_remainders`);
  }
}
