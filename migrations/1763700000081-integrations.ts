import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Integrations1763700000081 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table integrations (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        kind text not null check (kind in ('bitrix24', 'crm')),
        title text not null,
        type text not null,
        sender text not null,
        -- Hash of the secret in the path of its URL.
        secret bytea not null,
        portal text,
        client_id text,
        -- Encrypted, as is the access to the portal.
        client_secret bytea,
        access bytea,
        -- Hash of the token that the portal sends with each call.
        application_token bytea,
        recipient text,
        text text,
        key text,
        is_active boolean not null default true,
        error text,
        error_at timestamptz,
        last_message_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check (kind <> 'bitrix24' or portal is not null),
        check (kind <> 'crm' or (recipient is not null and text is not null))
      );
      create index integrations_owner on integrations (owner_id, created_at desc, id desc);

      -- Messages of integrations by their ids there, so that a repeated call sends nothing.
      create table integration_messages (
        id uuid primary key default uuidv7(),
        integration_id uuid not null references integrations(id) on delete cascade,
        external_id text not null,
        sending_id uuid,
        unique (integration_id, external_id)
      );
      create index integration_messages_sending on integration_messages (sending_id);

      -- Webhooks that report the statuses of an integration's messages to it, and of no others.
      alter table webhooks add column integration_id uuid references integrations(id) on delete cascade;
      create index webhooks_integration on webhooks (integration_id) where integration_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table webhooks drop column integration_id;
      drop table integration_messages;
      drop table integrations;
    `);
  }
}
