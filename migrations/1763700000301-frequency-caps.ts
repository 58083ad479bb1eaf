import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FrequencyCaps1763700000301 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How many advertising messages of an account one person gets within a period.
      create table frequency_caps (
        owner_id uuid primary key references users(id) on delete cascade,
        is_active boolean not null,
        messages smallint not null check (messages between 1 and 50),
        days smallint not null check (days between 1 and 31),
        singles boolean not null
      );
      -- The messages that count for a person, of accounts that have a cap: one row is locked for one person.
      create table capped_messages (
        owner_id uuid not null,
        address text not null,
        -- Of the first attempts of their chains, in the order of their times.
        ids uuid[] not null,
        -- When the last one was added; a date, so that most changes touch no index.
        last_day date not null,
        primary key (owner_id, address)
      ) with (fillfactor = 70);
      create index capped_messages_old on capped_messages (last_day);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table capped_messages, frequency_caps`);
  }
}
