import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a row of a rollup is of. */
const KEYS = ['owner_id', 'at', 'type', 'mccmnc', 'sender', 'task_id', 'token_id'];
/** Seconds from the submit until the delivery, each column below its bound; the last one has none. */
const BOUNDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 21600];
const TIMES = [...BOUNDS.map((seconds) => `within_${seconds}`), 'later'];
const COUNTS = ['messages', 'submitted', 'delivered', 'seen', 'failed', 'cancelled', ...TIMES];
const AMOUNTS = ['charged', 'refunded'];

const COLUMNS = `
        owner_id uuid not null,
        -- The start of a quarter of an hour: days begin at one in every time zone.
        at timestamptz not null,
        -- 0 where it is no message's.
        type smallint not null,
        -- Of the operator; '' if it is not known.
        mccmnc text not null,
        sender text not null,
        task_id uuid,
        token_id uuid,
        ${[...COUNTS, 'replies', 'opt_outs', 'clicks'].map((name) => `${name} integer not null default 0`).join(', ')},
        ${AMOUNTS.map((name) => `${name} numeric(18,4) not null default 0`).join(', ')}`;

/** Failures before a carrier had the message. */
const NOT_SUBMITTED = `array['stopped', 'superseded', 'insufficient_funds', 'spend_cap_reached', 'no_price', 'no_value', 'channel_down', 'unsubscribed']`;
const SUBMITTABLE = `not coalesce(r.status = 5 and r.error = any(${NOT_SUBMITTED}), false)`;
/** The keys of a message `r`. */
const OF_MESSAGE = `r.owner_id, quarter_of(uuid_extract_timestamp(r.id)), r.type, r.mccmnc, r.sender, r.group_id, r.token_id`;

const ALL = [...COUNTS, ...AMOUNTS];
/**
 * The difference that a statement makes: rows as it leaves them count by 1, as it found them by -1. Those that are alike are summed first, so that
 * the many figures are of few rows.
 */
const countSql = (rows: string, batches: string) => `
        insert into rollup_changes (${KEYS.join(', ')}, ${ALL.join(', ')})
        with submits as materialized (select b.id, b.submitted_at from batches b where b.id in (${batches})),
        alike as (
          select r.owner_id, quarter_of(uuid_extract_timestamp(r.id)) as at, r.type, r.mccmnc, r.sender, r.group_id as task_id, r.token_id, r.status,
                 coalesce(r.error = 'stopped', false) as is_stopped, b.submitted_at is not null and ${SUBMITTABLE} as is_submitted,
                 case when r.status in (3, 4) then delivery_slot(r.delivered_at - coalesce(b.submitted_at, r.sent_at)) end as slot,
                 sum(sign) as n, sum(sign * r.amount) as amount
            from (${rows}) r left join submits b on b.id = r.batch_id
           where r.mccmnc is not null
           group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
          having sum(sign) <> 0 or sum(sign * r.amount) <> 0)
        select ${KEYS.join(', ')}, ${ALL.map((name) => `coalesce(${name}, 0)`).join(', ')} from (
          select ${KEYS.join(', ')}, sum(n) as messages,
                 sum(n) filter (where is_submitted) as submitted,
                 sum(n) filter (where status in (3, 4)) as delivered,
                 sum(n) filter (where status = 4) as seen,
                 sum(n) filter (where status = 5 and not is_stopped) as failed,
                 sum(n) filter (where status = 5 and is_stopped) as cancelled,
                 ${TIMES.map((name, i) => `sum(n) filter (where slot = ${i}) as ${name}`).join(', ')},
                 sum(amount) as charged,
                 sum(amount) filter (where status = 5) as refunded
            from alike group by ${KEYS.join(', ')}) c
         where messages <> 0 or submitted <> 0 or delivered <> 0 or seen <> 0 or failed <> 0 or cancelled <> 0`;

export class Rollups1763700000202 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The operator of the phone when the message was created, '' if it is not known; null of a message that no rollup counts yet.
      alter table sendings add mccmnc text;
      -- The API token of the request.
      alter table sendings add token_id uuid;
      -- The view has the columns of its messages.
      do $$ begin
        execute 'create or replace view sendings_now as ' || regexp_replace(
          pg_get_viewdef('sendings_now'::regclass), '\\n\\s*FROM \\(*sendings s', ', s.mccmnc, s.token_id\\&');
      end $$;

      -- Figures of an account's messages, under the time at which they were created; clicks under their own.
      create table rollups (${COLUMNS},
        unique nulls not distinct (${KEYS.join(', ')})
      ) with (fillfactor = 70);
      create index rollups_at on rollups (at);
      -- What is to be added to them: written with the fact, so that none is lost or counted twice, and one row for all messages
      -- of a statement that are alike, so that no two transactions wait for the same row.
      create table rollup_changes (
        id bigint generated always as identity primary key,${COLUMNS});

      create function quarter_of(moment timestamptz) returns timestamptz immutable parallel safe language sql
        return date_bin('15 minutes', moment, timestamptz 'epoch');
      create function delivery_slot(took interval) returns integer immutable parallel safe language sql
        return width_bucket(greatest(extract(epoch from took), 0)::float8, array[${BOUNDS.join(', ')}]::float8[]);

      create function count_new_messages() returns trigger language plpgsql set enable_seqscan = off as $$
      begin${countSql('select 1 as sign, n.* from new_rows n', 'select batch_id from new_rows')};
        return null;
      end $$;
      create trigger count_new_messages after insert on sendings referencing new table as new_rows
        for each statement execute function count_new_messages();

      create function count_changed_messages() returns trigger language plpgsql set enable_seqscan = off as $$
      begin${countSql('select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o', 'select batch_id from new_rows union select batch_id from old_rows')};
        -- The refund of a message that was delivered late remains.
        if exists (select 1 from old_rows where status = 5 and mccmnc is not null) then
          insert into rollup_changes (${KEYS.join(', ')}, refunded)
          select ${OF_MESSAGE}, sum(r.amount) from old_rows r join new_rows n on n.id = r.id
           where r.status = 5 and n.status <> 5 and r.mccmnc is not null and r.amount > 0 group by ${OF_MESSAGE};
        end if;
        return null;
      end $$;
      create trigger count_changed_messages after update on sendings referencing old table as old_rows new table as new_rows
        for each statement execute function count_changed_messages();

      create function count_submitted() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        insert into rollup_changes (${KEYS.join(', ')}, submitted)
        select ${OF_MESSAGE}, count(*) from sendings r
         where r.id between new.first_id and new.last_id and r.batch_id = new.id and r.mccmnc is not null and ${SUBMITTABLE}
         group by ${OF_MESSAGE};
        return null;
      end $$;
      create trigger count_submitted after update of submitted_at on batches for each row
        when (old.submitted_at is null and new.submitted_at is not null) execute function count_submitted();

      -- Replies and opt-outs count for the message that they answer.
      create function count_answer() returns trigger language plpgsql as $$
      begin
        insert into rollup_changes (${KEYS.join(', ')}, replies, opt_outs)
        select ${OF_MESSAGE}, (tg_table_name = 'sendings_incoming')::int, (tg_table_name = 'suppressions')::int
          from sendings r where r.id = new.sending_id and r.owner_id = new.owner_id and r.mccmnc is not null;
        return null;
      end $$;
      create trigger count_reply after insert on sendings_incoming for each row
        when (new.sending_id is not null) execute function count_answer();
      create trigger count_opt_out after insert on suppressions for each row
        when (new.sending_id is not null) execute function count_answer();

      create function count_clicks() returns trigger language plpgsql as $$
      begin
        insert into rollup_changes (owner_id, at, type, mccmnc, sender, clicks)
        values (new.owner_id, quarter_of(coalesce(new.clicked_at, now())), 0, '', '', new.clicks - old.clicks);
        return null;
      end $$;
      create trigger count_clicks after update of clicks on links for each row
        when (new.clicks > old.clicks) execute function count_clicks();
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop trigger count_clicks on links;
      drop trigger count_opt_out on suppressions;
      drop trigger count_reply on sendings_incoming;
      drop trigger count_submitted on batches;
      drop trigger count_changed_messages on sendings;
      drop trigger count_new_messages on sendings;
      drop function count_clicks(), count_answer(), count_submitted(), count_changed_messages(), count_new_messages();
      drop table rollup_changes, rollups;
      drop function delivery_slot(interval), quarter_of(timestamptz);
      do $$
      declare
        definition text := regexp_replace(pg_get_viewdef('sendings_now'::regclass), ',\\s+s\\.mccmnc,\\s+s\\.token_id', '');
      begin
        drop view sendings_now;
        execute 'create view sendings_now as ' || definition;
      end $$;
      alter table sendings drop token_id, drop mccmnc;
    `);
  }
}
