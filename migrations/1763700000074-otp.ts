import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Otp1763700000074 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table otp_widgets (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        name text not null,
        styles jsonb not null default '{}',
        is_active boolean not null default true,
        is_blocked boolean not null default false,
        captcha_is_required boolean not null default false,
        captcha_provider text not null default 'altcha',
        -- Null for none.
        captcha_first_free_requests_per_ip integer check (captcha_first_free_requests_per_ip > 0),
        ip_whitelist text[] not null,
        -- Null for the country of the account.
        countries text[],
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index otp_widgets_owner on otp_widgets (owner_id, created_at desc, id desc);

      create table otp_channels (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        name text not null,
        channel_type text not null,
        additional_settings jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index otp_channels_owner on otp_channels (owner_id, created_at desc, id desc);

      create table otp_templates (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        name text not null,
        channel_type text not null,
        conditions jsonb not null default '[]',
        additional_settings jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index otp_templates_owner on otp_templates (owner_id, created_at desc, id desc);

      create table otp_widget_channels (
        widget_id uuid not null references otp_widgets(id) on delete cascade,
        channel_id uuid not null references otp_channels(id),
        priority smallint not null,
        primary key (widget_id, channel_id)
      );
      create index otp_widget_channels_channel on otp_widget_channels (channel_id);

      create table otp_sessions (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        widget_id uuid not null references otp_widgets(id) on delete cascade,
        -- E.164, or the word of an erased person.
        phone text not null,
        prefix text not null,
        -- 0 open, 1 confirmed, 2 completed, 3 failed.
        state smallint not null default 0,
        -- Why it failed.
        reason text,
        -- The channels as of the start, in their order.
        steps jsonb not null,
        -- The messages of the current round: a chain whose first attempt is the step first_step.
        chain_id uuid,
        first_step smallint not null default 0,
        round smallint not null default 0,
        -- How often each step was sent again.
        restarts smallint[] not null,
        -- Keyed hashes of the codes of the round, by attempt.
        code_hashes bytea[],
        -- Codes entered in this round.
        tries smallint not null default 0,
        -- The code is not sent again before.
        resend_at timestamptz not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        confirmed_at timestamptz,
        confirmed_by text,
        -- Messages by channel type, of all rounds.
        sent_by jsonb not null default '{}',
        -- The state that the last long poll returned.
        polled text
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      create index otp_sessions_phone on otp_sessions (owner_id, phone, id desc);
      create index otp_sessions_widget on otp_sessions (widget_id, id);
      create index otp_sessions_chain on otp_sessions (chain_id) where chain_id is not null;
      create index otp_sessions_due on otp_sessions (expires_at) where state = 0;

      -- Events per key and time window: limits that hold while Redis is away. Keys are hashes.
      create table otp_counters (
        key bytea not null,
        ends_at timestamptz not null,
        count integer not null,
        primary key (key, ends_at)
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
      create index otp_counters_end on otp_counters (ends_at);

      -- Numbering ranges in which hardly anyone confirms.
      create table otp_blocks (
        owner_id uuid not null references users(id) on delete cascade,
        prefix text not null,
        blocked_until timestamptz not null,
        times integer not null default 1,
        -- Sessions before are not counted again.
        counted_since timestamptz not null,
        primary key (owner_id, prefix)
      );

      -- Texts that only the carrier may read, by attempt of a chain. Elsewhere asterisks stand for the secret.
      create table sealed_texts (
        chain_id uuid not null,
        attempt smallint not null,
        sealed bytea not null,
        expires_at timestamptz not null,
        primary key (chain_id, attempt)
      );
      create index sealed_texts_expiry on sealed_texts (expires_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table sealed_texts; drop table otp_blocks; drop table otp_counters; drop table otp_sessions;
      drop table otp_widget_channels; drop table otp_templates; drop table otp_channels; drop table otp_widgets`);
  }
}
