import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NotificationChannels1763700000072 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Why a notification could not be sent over its channel.
      alter table notifications add error text;

      -- The choice of a user for a type; without a row, the defaults of the type.
      create table notification_settings (
        user_id uuid not null references users(id) on delete cascade,
        type text not null,
        channels text[] not null,
        -- Of the daily balance: the zone of its morning, if the user has set none, and its next time.
        time_zone text,
        next_at timestamptz,
        updated_at timestamptz not null default now(),
        primary key (user_id, type)
      );
      create index notification_settings_next on notification_settings (next_at) where next_at is not null;

      -- Notifications that wait to be sent over other channels than the cabinet, written in the transaction of the event.
      create table notification_queue (
        notification_id uuid primary key references notifications(id) on delete cascade,
        user_id uuid not null,
        channel text not null check (channel in ('telegram', 'email')),
        due_at timestamptz not null,
        first_at timestamptz,
        tries smallint not null default 0
      ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
      create index notification_queue_due on notification_queue (channel, due_at, notification_id);

      -- The chat of a user with the bot.
      create table telegram_chats (
        user_id uuid primary key references users(id) on delete cascade,
        chat_id bigint not null,
        name text not null,
        created_at timestamptz not null default now()
      );
      create index telegram_chats_chat on telegram_chats (chat_id);
      -- One-time codes that link a chat, as SHA-256.
      create table telegram_codes (
        user_id uuid primary key references users(id) on delete cascade,
        code_hash bytea not null unique,
        expires_at timestamptz not null
      );
      -- One row for each bot, by the number in its token.
      create table telegram_bots (
        id text primary key,
        username text not null,
        -- The first update that was not processed.
        next_update bigint not null default 0,
        -- No message is sent before this time: Telegram asked for it.
        blocked_until timestamptz
      );

      create table balance_limits (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        owner_id uuid not null references users(id) on delete cascade,
        position smallint not null,
        balance numeric(18,4) not null check (balance >= 0),
        include_overdraft boolean not null default false,
        -- Whom the automatic invoice is for, by whom, and its sum; null for none.
        invoice jsonb,
        -- When the balance fell below; null when it is not.
        fired_at timestamptz
      );
      create index balance_limits_user on balance_limits (user_id, position);
      create index balance_limits_owner on balance_limits (owner_id, id);

      -- One notification to many accounts, written in batches in the order of accounts.
      create table system_messages (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        user_id uuid not null references users(id) on delete cascade,
        type text not null check (type in ('SystemPlatformIssues', 'SystemRouteIssues')),
        title text not null,
        -- HTML of the subset of rich text.
        text text not null,
        operator text,
        audience jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index system_messages_owner on system_messages (owner_id, id desc);
      create table notification_broadcasts (
        id uuid primary key,
        type text not null,
        data jsonb not null,
        -- Which accounts: of a manager, of a level, these ones, those with a tariff; null is no condition.
        manager_id uuid,
        level text,
        accounts uuid[],
        tariff_id uuid,
        -- The last account that was notified.
        cursor uuid,
        notified integer not null default 0,
        finished_at timestamptz
      );
      create index notification_broadcasts_open on notification_broadcasts (id) where finished_at is null;

      -- What the rules of a tariff were when its accounts were last notified.
      create table tariff_digests (
        tariff_id uuid primary key references tariffs(id) on delete cascade,
        digest text not null
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table tariff_digests, notification_broadcasts, system_messages, balance_limits, telegram_bots, telegram_codes, telegram_chats,
        notification_queue, notification_settings;
      alter table notifications drop error;
    `);
  }
}
