import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = ['get', 'create', 'update', 'remove'].map((action) => `routingGroups.${action}`);

export class RoutingGroups1763700000036 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- By which channels the messages of the accounts in a group go: [{type, ChannelId}], the first that is switched on.
      create table routing_groups (
        id uuid primary key default uuidv7(),
        title text not null,
        routes jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create table users_routing_groups (
        owner_id uuid not null references users(id) on delete cascade,
        group_id uuid not null references routing_groups(id) on delete cascade,
        position int not null,
        primary key (owner_id, group_id)
      );
      create index users_routing_groups_group on users_routing_groups (group_id);`);
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
    await q.query(`drop table users_routing_groups; drop table routing_groups`);
  }
}
