import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1763700000071 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table webhooks (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        title text not null,
        event text not null,
        url text not null,
        method text not null check (method in ('GET', 'POST')),
        -- Names with the values that may be shown; all values are encrypted in header_values.
        headers jsonb not null default '[]',
        header_values bytea,
        body text,
        -- Null for all.
        statuses text[],
        batch_size smallint not null default 1 check (batch_size between 1 and 100),
        max_connections smallint not null default 5 check (max_connections > 0),
        success_on jsonb,
        state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
        reason text check (reason in ('manual', 'failing', 'gone')),
        secret bytea not null,
        -- Signs, too, until then.
        previous_secret bytea,
        previous_until timestamptz,
        -- Calls that failed in a row, and since when.
        failures integer not null default 0,
        failing_since timestamptz,
        -- No call before this time.
        blocked_until timestamptz,
        last_success_at timestamptz,
        -- The worker that delivers, by a number that only grows.
        lease integer not null default 0,
        lease_until timestamptz,
        -- When a worker last took its turn: the one that has waited longest is next.
        served_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((state = 'active') = (reason is null)),
        check (num_nonnulls(previous_secret, previous_until) in (0, 2))
      ) with (fillfactor = 70);
      create index webhooks_owner on webhooks (owner_id, created_at desc, id desc);

      -- Events to deliver, written in the transaction of the fact, and afterwards the log of their deliveries.
      -- Without foreign keys: rows of a removed webhook are never delivered and expire.
      create table webhook_events (
        id uuid primary key default uuidv7(),
        -- The order of the events of one key: their transactions lock the same row, so it is the order of the facts.
        seq bigint generated always as identity,
        webhook_id uuid not null,
        owner_id uuid not null,
        -- Id of the object that the event is about.
        key uuid not null,
        data jsonb,
        -- 0 waiting, 1 delivered, 2 failed.
        state smallint not null default 0,
        tries smallint not null default 0,
        due_at timestamptz not null,
        -- The batch in which it is sent; stored before the first attempt, so that a repeated call is the same.
        call_id uuid,
        is_test boolean not null default false,
        first_at timestamptz,
        attempted_at timestamptz,
        status smallint,
        error text,
        ms integer,
        response text,
        -- Earlier attempts.
        attempts jsonb,
        at timestamptz not null
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
              autovacuum_analyze_scale_factor = 0.02);
      create index webhook_events_due on webhook_events (webhook_id, due_at, seq) where state = 0;
      -- Whether an earlier event of the same key waits.
      create index webhook_events_key on webhook_events (webhook_id, key, seq);
      create index webhook_events_call on webhook_events (webhook_id, call_id) where state = 0 and call_id is not null;
      -- The log.
      create index webhook_events_log on webhook_events (webhook_id, id desc);
      create index webhook_events_failed on webhook_events (webhook_id, id desc) where state = 2;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table webhook_events; drop table webhooks`);
  }
}
