import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChannelSendernames1763700000341 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table channels
        -- It carries only sender names that are registered there.
        add column needs_registration boolean not null default false,
        -- Advances with every change of its registered names.
        add column sendernames_revision integer not null default 0;
      -- Sender names that are registered at the carriers of channels.
      create table channel_sendernames (
        id uuid primary key default uuidv7(),
        channel text not null references channels (name),
        type text not null check (type in ('sms', 'voice')),
        name text not null,
        -- As it is compared: the type and the name in lower case.
        key text collate "C" not null,
        -- Messages are given to the channel from then on.
        since timestamptz not null,
        note text,
        created_at timestamptz not null default now(),
        unique (channel, key)
      );
      -- The channels of a name.
      create index channel_sendernames_key on channel_sendernames (key)
    `);
    // Channels matter to routes, and to their messages while one needs registered names.
    await q.query(`
      create or replace function advance_route_version() returns trigger language plpgsql as $$
        begin
          update route_version set version = version + 1
           where tg_table_name = 'routes' or exists (select 1 from routes) or exists (select 1 from channels where needs_registration and removed_at is null);
          return null;
        end $$;
      drop trigger advance_version on channels;
      create trigger advance_version after insert or update of types, is_active, removed_at, needs_registration or delete on channels
        for each statement execute function advance_route_version()
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      create or replace function advance_route_version() returns trigger language plpgsql as $$
        begin
          update route_version set version = version + 1 where tg_table_name = 'routes' or exists (select 1 from routes);
          return null;
        end $$;
      drop trigger advance_version on channels;
      create trigger advance_version after insert or update of types, is_active, removed_at or delete on channels
        for each statement execute function advance_route_version()
    `);
    await q.query(`drop table channel_sendernames`);
    await q.query(
      `alter table channels drop column needs_registration, drop column sendernames_revision`,
    );
  }
}
