import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Suppressions1763700000078 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Recipients to whom an account sends nothing.
      create table suppressions (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        address text not null,
        -- 0: all types.
        type smallint not null default 0,
        reason text not null check (reason in ('stop', 'link', 'manual', 'import')),
        note text,
        sending_id uuid,
        unique (owner_id, address, type)
      );
      create index suppressions_owner on suppressions (owner_id, id desc);
      -- Searched by the beginning of the address.
      create index suppressions_address on suppressions (owner_id, address text_pattern_ops);

      create table opt_out_settings (
        owner_id uuid primary key references users(id) on delete cascade,
        stop_words text[] not null,
        start_words text[] not null,
        covers text not null check (covers in ('all', 'channel')),
        is_confirmed boolean not null,
        stop_text text not null,
        start_text text not null,
        -- Of confirmations; null: as the message that was answered.
        type smallint,
        sender text
      );
      create table opt_out_spikes (
        owner_id uuid primary key references users(id) on delete cascade,
        notified_at timestamptz not null
      );

      -- Answers of the platform to incoming messages: waiting, and those of the last day.
      create table auto_replies (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        type smallint not null,
        sender text not null,
        address text not null,
        text text not null,
        done_at timestamptz
      );
      create index auto_replies_waiting on auto_replies (id) where done_at is null;
      create index auto_replies_person on auto_replies (owner_id, address, id desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table auto_replies, opt_out_spikes, opt_out_settings, suppressions`);
  }
}
