import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = ['get', 'create', 'update', 'remove'].map((action) => `routes.${action}`);

export class Routes1763700000183 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table routes (
        id uuid primary key default uuidv7(),
        title text not null,
        is_active boolean not null default true,
        -- The highest one that matches a message decides.
        priority integer not null default 0,
        -- Which messages match: an empty list admits all.
        types text[] not null, countries text[] not null, operators text[] not null, senders text[] not null,
        owner_ids uuid[] not null, group_ids uuid[] not null, kinds text[] not null,
        -- [{ChannelId, weight}], in order of preference.
        channels jsonb not null,
        is_weighted boolean not null default false,
        -- After how many seconds messages leave a channel that is down; null: never.
        failover_after integer check (failover_after >= 0),
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      -- One row: counts every change on which the channels of messages depend.
      create table route_version (is_only boolean primary key default true check (is_only), version integer not null default 0);
      insert into route_version default values;
      -- Changes follow one another. Channels matter to routes alone.
      create function advance_route_version() returns trigger language plpgsql as $$
        begin
          update route_version set version = version + 1 where tg_table_name = 'routes' or exists (select 1 from routes);
          return null;
        end $$;
      create trigger advance_version after insert or update or delete on routes for each statement execute function advance_route_version();
      create trigger advance_version after insert or update of types, is_active, removed_at or delete on channels
        for each statement execute function advance_route_version()`);
    await q.query(`
      alter table batches
        -- The route that has chosen the channel, its channels for these messages, and the version by which that was decided.
        add column route_id uuid, add column route_channels text[], add column route_version integer not null default 0`);
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || $1::jsonb) where grants->'add' ? 'channels.update'`,
      [JSON.stringify(GRANTS)],
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - $1::text[]) where grants ? 'add'`,
      [GRANTS],
    );
    await q.query(
      `alter table batches drop column route_id, drop column route_channels, drop column route_version`,
    );
    await q.query(
      `drop trigger advance_version on channels; drop table routes; drop table route_version; drop function advance_route_version()`,
    );
  }
}
