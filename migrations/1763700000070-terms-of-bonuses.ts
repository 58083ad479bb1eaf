import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The share and the days under which a bonus was given: the settings may have changed since. Null for bonuses from before. Lists of
 * payments are read by status and by method for each of several accounts, and ordered by amount, of one account and of all.
 */
export class TermsOfBonuses1763700000070 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table referral_bonuses add percent numeric(5,2), add days integer;
      create index payments_owner_status on payments (owner_id, status, id);
      create index payments_owner_method on payments (owner_id, method, id);
      create index payments_method on payments (method, id);
      create index payments_owner_amount on payments (owner_id, amount, id);
      create index payments_amount on payments (amount, id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index payments_amount, payments_owner_amount, payments_owner_status, payments_owner_method, payments_method;
      alter table referral_bonuses drop percent, drop days;
    `);
  }
}
