import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InboundRules1763700000080 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What happens to incoming messages of an account, in the order of position.
      create table inbound_rules (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        position integer not null,
        title text not null,
        is_active boolean not null,
        is_continued boolean not null,
        types text[] not null,
        sender text,
        mode text not null check (mode in ('any', 'equals', 'starts', 'contains')),
        keywords text[] not null,
        actions text[] not null,
        -- Null, too, when the webhook or the list of the action was removed.
        webhook_id uuid references webhooks(id) on delete set null,
        reply_text text,
        reply_minutes integer not null,
        list_id uuid references contact_lists(id) on delete set null,
        list_change text not null check (list_change in ('add', 'remove')),
        matched integer not null default 0,
        matched_at timestamptz,
        replies integer not null default 0,
        -- Numbers by the reason.
        held jsonb not null default '{}',
        hold text,
        held_at timestamptz,
        -- Messages for people of the account, of whom they are not notified yet.
        unnotified integer not null default 0,
        notified_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index inbound_rules_owner on inbound_rules (owner_id, position);
      create index inbound_rules_webhook on inbound_rules (webhook_id);
      create index inbound_rules_list on inbound_rules (list_id);
      create index inbound_rules_unnotified on inbound_rules (id) where unnotified > 0;

      -- The last reply of a rule to a person. Written by one statement, so that of messages at the same time one gets a reply.
      create table inbound_claims (
        rule_id uuid not null references inbound_rules(id) on delete cascade,
        address text not null,
        claimed_at timestamptz not null,
        primary key (rule_id, address)
      );
      create index inbound_claims_time on inbound_claims (claimed_at);

      -- Messages that the rules of their account have not seen.
      create table incoming_queue (
        id uuid primary key references sendings_incoming(id) on delete cascade,
        owner_id uuid not null,
        tries smallint not null default 0
      );
      create index incoming_queue_owner on incoming_queue (owner_id, tries, id);

      alter table auto_replies
        -- Null for the confirmation of an opt-out.
        add column rule_id uuid,
        -- Null before the reply was tried, and after the rule has counted it.
        add column outcome text;
      create index auto_replies_outcome on auto_replies (id) where outcome is not null;
      create index auto_replies_rules on auto_replies (owner_id, id) where rule_id is not null;
      -- The texts of rules have variables. Confirmations have none.
      update auto_replies set text = replace(replace(text, '{', '{{'), '}', '}}') where done_at is null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table incoming_queue, inbound_claims, inbound_rules;
      alter table auto_replies drop column rule_id, drop column outcome`);
  }
}
