import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers are looked up before messages to them are routed. */
export class AwaitedLookups1763700000430 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Look-ups of numbers for which messages wait, one for each number of an account, until they end.
      create table awaited_lookups (
        owner_id uuid not null references users(id) on delete cascade,
        phone text not null,
        -- The message of the type hlr.
        lookup_id uuid not null unique,
        -- Messages wait no longer.
        until timestamptz not null,
        primary key (owner_id, phone)
      );
      create index awaited_lookups_age on awaited_lookups (until);
      -- A message that waits for one: when it would be due without it, and when it is.
      create table lookup_waits (
        sending_id uuid primary key,
        lookup_id uuid not null references awaited_lookups(lookup_id) on delete cascade,
        due_at timestamptz not null,
        until timestamptz not null
      );
      create index lookup_waits_of on lookup_waits (lookup_id);
      -- Null: the last look-up did not say it.
      alter table found_networks alter column network drop not null`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table lookup_waits;
      drop table awaited_lookups;
      delete from found_networks where network is null;
      alter table found_networks alter column network set not null`);
  }
}
