import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1763700000001 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table users (
        id uuid primary key default uuidv7(),
        username text not null,
        password_hash text not null,
        -- An account holder owns itself; a sub-user shares its holder's OwnerId.
        owner_id uuid not null references users(id),
        reseller_id uuid references users(id),
        manager_id uuid references users(id),
        level text not null default 'me' check (level in ('me', 'reseller', 'manager')),
        is_active boolean not null default true,
        is_test boolean not null default false,
        is_verified boolean not null default false,
        referral_code text,
        data jsonb not null default '{}',
        grants jsonb not null default '{}',
        settings jsonb not null default '{}',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create unique index users_username on users (lower(username));
      create index users_owner on users (owner_id);
      create index users_reseller on users (reseller_id) where reseller_id is not null;
      create index users_manager on users (manager_id) where manager_id is not null;

      create table sessions (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        -- Who opened it by login-as; null when the user signed in itself.
        actor_id uuid references users(id) on delete cascade,
        ip text not null,
        useragent text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        revoked_at timestamptz
      );
      create index sessions_user on sessions (user_id);

      -- Generated once and kept here when the configuration names none.
      create table secrets (name text primary key, value text not null);

      create table visits (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        owner_id uuid not null references users(id),
        ip text not null,
        action text not null,
        useragent text not null,
        data jsonb not null default '{}'
      );
      create index visits_owner on visits (owner_id, id desc);

      create table notifications (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        owner_id uuid not null references users(id),
        type text not null,
        channel text not null default 'web',
        data jsonb not null default '{}',
        is_read boolean not null default false,
        sent_at timestamptz,
        delivered_at timestamptz,
        updated_at timestamptz not null default now()
      );
      create index notifications_user on notifications (user_id, id desc);

      create table tariffs (
        id uuid primary key default uuidv7(),
        title text not null collate "und-x-icu",
        source text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create table tariff_rules (
        id uuid primary key default uuidv7(),
        tariff_id uuid not null references tariffs(id) on delete cascade,
        action text not null check (action in ('increase', 'decrease')),
        price numeric(18,4)[] not null,
        conditions jsonb not null default '[]',
        priority integer not null default 0
      );
      create index tariff_rules_tariff on tariff_rules (tariff_id);
      create table users_tariffs (
        owner_id uuid not null references users(id) on delete cascade,
        tariff_id uuid not null references tariffs(id) on delete cascade,
        priority integer not null default 0,
        primary key (owner_id, tariff_id)
      );

      create table balances (
        owner_id uuid primary key references users(id),
        balance numeric(18,4) not null default 0,
        overdraft numeric(18,4) not null default 0 check (overdraft >= 0),
        constraint balance_covers check (balance + overdraft >= 0)
      ) with (fillfactor = 50);

      -- One entry per sending, under the sending's own id; the time of an entry is the time in its id.
      create table billings (
        id uuid primary key default uuidv7(),
        owner_id uuid not null,
        source smallint not null,
        status smallint not null default 1,
        amount numeric(18,4) not null,
        price numeric(18,4)[],
        multiplier integer not null default 1,
        tariff_id uuid,
        comment text,
        no_ref boolean not null default false,
        created_by uuid,
        refunded_at timestamptz
      ) with (fillfactor = 85);
      create index billings_owner on billings (owner_id, id desc);

      create table idempotency_keys (
        owner_id uuid not null,
        route text not null,
        key text not null,
        body_hash text not null,
        status integer,
        answer jsonb,
        created_at timestamptz not null default now(),
        primary key (owner_id, route, key)
      );
      create index idempotency_keys_created on idempotency_keys (created_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `drop table idempotency_keys, billings, balances, users_tariffs, tariff_rules, tariffs, notifications, visits, secrets, sessions, users`,
    );
  }
}
