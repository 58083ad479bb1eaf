import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MessagePackages1763700000318 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Prepaid packages of messages that accounts can buy. One that is changed stays as it was for those who bought it.
      create table package_offers (
        id uuid primary key default uuidv7(),
        title text not null,
        types smallint[] not null check (cardinality(types) > 0),
        -- As in rules of tariffs; empty: of all networks.
        mccmnc text[] not null,
        units integer not null check (units > 0),
        price numeric(18,4) not null check (price > 0),
        currency text not null,
        days integer not null check (days > 0),
        is_active boolean not null
      );
      create table message_packages (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        offer_id uuid not null references package_offers(id),
        title text not null,
        types smallint[] not null,
        mccmnc text[] not null,
        units integer not null check (units > 0),
        -- Changed under the lock of the owner's balance.
        units_left integer not null,
        -- What the payer paid; zero where nobody did.
        price numeric(18,4) not null check (price >= 0),
        currency text not null,
        payer_id uuid references users(id) on delete set null,
        created_by uuid references users(id) on delete set null,
        ends_at timestamptz not null,
        constraint package_covers check (units_left between 0 and units)
      ) with (fillfactor = 70);
      create index message_packages_open on message_packages (owner_id, ends_at);
      create index message_packages_of_offer on message_packages (offer_id);
      create index message_packages_payer on message_packages (payer_id);
      create index message_packages_created_by on message_packages (created_by);
      -- Whether the account has ever had packages: the others need no further statement.
      alter table balances add has_packages boolean not null default false;
      -- The package that the charge was taken from; its amount is zero then. Not a reference: an account is removed with its packages.
      alter table billings add package_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table billings drop package_id;
      alter table balances drop has_packages;
      drop table message_packages, package_offers;
    `);
  }
}
