import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = ['get', 'create', 'update', 'remove'].map((action) => `messageRuleGroups.${action}`);

export class MessageRuleGroups1763700000037 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Rules that hold for the accounts in a group beside their own: {types, sendernamesCheck}, each optional.
      create table message_rule_groups (
        id uuid primary key default uuidv7(),
        title text not null,
        rules jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create table users_message_rule_groups (
        owner_id uuid not null references users(id) on delete cascade,
        group_id uuid not null references message_rule_groups(id) on delete cascade,
        position int not null,
        primary key (owner_id, group_id)
      );
      create index users_message_rule_groups_group on users_message_rule_groups (group_id);`);
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
    await q.query(`drop table users_message_rule_groups; drop table message_rule_groups`);
  }
}
