import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReferralBonuses1763700000063 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The share of a payment that the owner of the referral code received. Its id is the origin of the ledger entry.
      create table referral_bonuses (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        referred_id uuid not null references users(id) check (referred_id <> owner_id),
        origin smallint not null,
        origin_id uuid not null,
        paid numeric(18,4) not null check (paid > 0),
        amount numeric(18,4) not null check (amount > 0),
        returned numeric(18,4) not null default 0 check (returned between 0 and amount),
        unique (origin, origin_id)
      );
      create index referral_bonuses_owner on referral_bonuses (owner_id, id);
      -- What was taken back when the payment was refunded. What the balance did not cover is amount - taken.
      create table referral_returns (
        id uuid primary key default uuidv7(),
        bonus_id uuid not null references referral_bonuses(id),
        amount numeric(18,4) not null check (amount > 0),
        taken numeric(18,4) not null check (taken between 0 and amount)
      );
      create index referral_returns_bonus on referral_returns (bonus_id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table referral_returns, referral_bonuses`);
  }
}
