import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Wapi1763700000076 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table wapi_instances (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        created_by uuid not null,
        state text not null default 'undefined'
          check (state in ('undefined', 'notAuthorized', 'authorized', 'sleep', 'deleted')),
        phone text,
        problem text check (problem in ('device_link_beta', 'phone_already_used')),
        is_paid boolean not null default true,
        is_active boolean not null default true,
        is_canceled boolean not null default false,
        -- Periods end on its day of the month.
        anchor timestamptz not null,
        expired_at timestamptz not null,
        -- The next attempt of a renewal that failed.
        retry_at timestamptz,
        -- The end of the period whose renewal has failed: its owner is notified once.
        failed_for timestamptz,
        -- At the gateway; the token is encrypted. Null before it is created there, and after it was removed.
        external_id text,
        token bytea,
        -- A creation whose outcome is not known.
        is_creating boolean not null default false,
        qr jsonb,
        watched_until timestamptz,
        -- When events are received next, and until when a worker does so.
        poll_at timestamptz not null default now(),
        checked_at timestamptz,
        -- From when on another message may be sent.
        send_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((external_id is null) = (token is null))
      ) with (fillfactor = 70);
      create index wapi_instances_owner on wapi_instances (owner_id, id desc);
      -- A phone is linked to one instance.
      create unique index wapi_instances_phone on wapi_instances (phone) where state in ('authorized', 'sleep');
      create index wapi_instances_expired on wapi_instances (expired_at) where state <> 'deleted';
      create index wapi_instances_poll on wapi_instances (poll_at) where state <> 'deleted' and external_id is not null;
      create index wapi_instances_watched on wapi_instances (watched_until) where watched_until is not null;
      create index wapi_instances_unprovisioned on wapi_instances (id)
        where external_id is null and state = 'undefined' or external_id is not null and state = 'deleted';

      -- What was paid for, each the origin of a ledger entry.
      create table wapi_periods (
        id uuid primary key default uuidv7(),
        instance_id uuid not null references wapi_instances(id) on delete cascade,
        owner_id uuid not null,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        amount numeric(18,4) not null check (amount >= 0),
        -- Null: by the auto-renewal.
        created_by uuid,
        created_at timestamptz not null default now(),
        check (ends_at > starts_at),
        unique (instance_id, starts_at)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table wapi_periods; drop table wapi_instances`);
  }
}
