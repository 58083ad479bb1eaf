import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The hot tables. What holds them fast (docs/decisions/003-batches-carry-the-middle.md):
 * a row of `sendings` is written twice, when it is created and when it ends; the states between are its batch's.
 * No index names status, so the second write is a HOT update within half-filled pages.
 */
export class Sendings1763700000003 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table channels (
        name text primary key check (name ~ '^[a-z0-9_-]{1,40}$'),
        driver text not null,
        types text[] not null,
        is_active boolean not null default true,
        priority integer not null default 0,
        options jsonb not null default '{}',
        updated_at timestamptz not null default now()
      );

      -- A bulk's task is its group: sendings.group_id is tasks.id.
      create table tasks (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        user_id uuid not null references users(id),
        type text not null default 'sendings:bulk',
        title text not null collate "und-x-icu",
        state text not null default 'scheduled'
          check (state in ('scheduled', 'running', 'paused', 'stopped', 'completed', 'failed')),
        reason text,
        -- { sending: { type, payload, fallbacks }, recipients }: what was asked for, never changed.
        data jsonb not null,
        starts_at timestamptz,
        stretch_seconds integer not null default 0,
        -- The audience: an ordered list of { list } and { phones } segments, read up to the last contact at the start.
        audience jsonb not null,
        last_contact uuid,
        expected integer not null default 0,
        -- Where reading stands: segment, the last contact or phone read in it, and recipients read so far.
        segment integer not null default 0,
        cursor_id uuid,
        cursor_n integer not null default 0,
        position integer not null default 0,
        is_expanded boolean not null default false,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz,
        -- Gone from every list; its sendings stay.
        removed_at timestamptz,
        updated_at timestamptz not null default now()
      ) with (fillfactor = 50);
      create index tasks_owner on tasks (owner_id, created_at desc, id desc);
      create index tasks_open on tasks (state, starts_at) where state in ('scheduled', 'running', 'paused', 'stopped');

      -- Apart from tasks, so that the counting of reports never waits for a change of state.
      create table task_counters (
        task_id uuid primary key references tasks(id) on delete cascade,
        total integer not null default 0,
        completed integer not null default 0,
        errored integer not null default 0,
        in_doubt integer not null default 0,
        amount numeric(18,4) not null default 0,
        skipped jsonb not null default '{}'
      ) with (fillfactor = 25);

      -- Phones typed into a bulk, included (in order) and excluded.
      create table task_phones (
        task_id uuid not null references tasks(id) on delete cascade,
        excluded boolean not null,
        n integer not null,
        phone text not null,
        primary key (task_id, excluded, n)
      );
      create index task_phones_excluded on task_phones (task_id, phone) where excluded;

      create table batches (
        id bigint generated always as identity primary key,
        task_id uuid references tasks(id),
        -- Null when singles of several owners share the batch.
        owner_id uuid,
        channel text not null,
        type smallint not null,
        attempt smallint not null default 0,
        -- 0: singles and codes, ahead of 1: bulk.
        lane smallint not null,
        -- 0 pending, 1 leased, 2 handing, 3 handed, 4 in doubt, 5 dropped (stopped before it was handed over).
        stage smallint not null default 0,
        n integer not null,
        first_id uuid not null,
        last_id uuid not null,
        tries smallint not null default 0,
        due_at timestamptz not null,
        lease integer not null default 0,
        lease_until timestamptz,
        handed_at timestamptz,
        -- When fallbacks by timeout are looked for, and when what is not final has expired.
        timer_at timestamptz,
        expires_at timestamptz,
        -- When the driver is next asked for statuses, and up to when it has answered.
        poll_at timestamptz,
        polled_at timestamptz,
        -- The channel's options at handover: what the simulator's plan is a function of.
        options jsonb,
        -- Of a single with fallbacks: what its chain says at each attempt. A bulk's stands in its task.
        plan jsonb,
        closed_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      ) with (fillfactor = 50);
      create index batches_due on batches (lane, due_at, id) where stage = 0;
      create index batches_leased on batches (lease_until) where stage in (1, 2);
      create index batches_timer on batches (timer_at) where timer_at is not null;
      create index batches_poll on batches (poll_at) where poll_at is not null;
      create index batches_expires on batches (expires_at) where closed_at is null and expires_at is not null;
      create index batches_task on batches (task_id, stage) where task_id is not null;
      create index batches_open on batches (owner_id, id) where closed_at is null;

      create table sendings (
        id uuid primary key,
        owner_id uuid not null,
        group_id uuid,
        -- Null in a first attempt, whose own id is the chain's.
        chain_id uuid,
        batch_id bigint not null,
        type smallint not null,
        attempt smallint not null default 0,
        -- No fallback can follow it.
        is_last boolean not null default true,
        segments smallint not null,
        -- Null while its batch tells; see sending_status().
        status smallint,
        -- How the chain ended, on the first attempt: 1 completed, 2 errored; null while one is live.
        outcome smallint,
        amount numeric(18,4) not null,
        sender text not null,
        phone text not null,
        body text,
        error text,
        -- Values of the variables that the fallbacks' texts name, as they were at the start.
        vars jsonb,
        -- Of a single: payload, callbackData. A bulk's stand in its task.
        data jsonb,
        sent_at timestamptz,
        delivered_at timestamptz,
        seen_at timestamptz,
        failed_at timestamptz
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
              autovacuum_analyze_scale_factor = 0.02);
      create index sendings_owner on sendings (owner_id, id desc);
      create index sendings_phone on sendings (owner_id, phone);
      create index sendings_failed on sendings (owner_id, id desc) where failed_at is not null;
      -- One successor of a kind in a chain, and one first attempt per group and phone: the database says so.
      create unique index sendings_chain on sendings (chain_id, attempt) where chain_id is not null;
      create unique index sendings_audience on sendings (group_id, phone) where group_id is not null and chain_id is null;

      create function stage_status(stage smallint) returns smallint immutable parallel safe language sql
        return case when stage <= 1 then 0 when stage in (2, 4) then 1 when stage = 3 then 2 else 5 end;

      -- The one place that says what a sending's status, times and chain are.
      create view sendings_now as
        select s.*, coalesce(s.chain_id, s.id) as chain,
               coalesce(s.status, stage_status(b.stage)) as now_status,
               coalesce(s.status is null and b.stage <= 1 and t.state = 'paused', false) as is_paused,
               coalesce(s.sent_at, b.handed_at) as handed_at,
               uuid_extract_timestamp(s.id) as created_at,
               greatest(uuid_extract_timestamp(s.id), b.updated_at, s.sent_at, s.delivered_at, s.seen_at, s.failed_at) as updated_at,
               b.task_id, b.channel, b.stage, coalesce(t.data->'sending', b.plan) as plan
          from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id;

      -- Chains whose next attempt is to start; a paused task's wait here.
      create table fallback_signals (
        sending_id uuid primary key,
        task_id uuid,
        trigger smallint not null,
        due_at timestamptz not null,
        created_at timestamptz not null default now()
      );
      create index fallback_signals_due on fallback_signals (due_at);
      create index fallback_signals_task on fallback_signals (task_id) where task_id is not null;

      -- Ids that a carrier gave, where it reports by its own.
      create table carrier_refs (
        channel text not null,
        external_id text not null,
        sending_id uuid not null,
        primary key (channel, external_id)
      );
      create table parked_reports (
        id bigint generated always as identity primary key,
        channel text not null,
        reference text not null,
        is_external boolean not null,
        status text not null,
        code text,
        at timestamptz not null,
        created_at timestamptz not null default now()
      );
      create index parked_reports_reference on parked_reports (channel, reference);
      create index parked_reports_created on parked_reports (created_at);

      create table sendings_incoming (
        id uuid primary key default uuidv7(),
        owner_id uuid not null,
        type smallint not null,
        "from" text not null,
        "to" text not null,
        payload jsonb not null,
        sending_id uuid
      );
      create index sendings_incoming_owner on sendings_incoming (owner_id, id desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table sendings_incoming, parked_reports, carrier_refs, fallback_signals;
      drop view sendings_now;
      drop function stage_status(smallint);
      drop table sendings, batches, task_phones, task_counters, tasks, channels`);
  }
}
