import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOCK = 0x4845;
/** Milliseconds, of which an advisory lock has room for 25 days. */
const MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
const CYCLE = 2 ** 31;

export class Changes1763700000102 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When its row was last changed; null as long as its batch says everything. Its other times are those of the carrier.
      alter table sendings add changed_at timestamptz;

      -- The time of a change, by the clock of the database. Until the transaction ends, change_horizon() is not after it: a shared
      -- advisory lock, which delays nobody, holds the millisecond of its first change.
      create function change_time() returns timestamptz volatile language plpgsql as $$
      begin
        if current_setting('heliograph.changing', true) is distinct from 'on' then
          perform pg_advisory_xact_lock_shared(${LOCK}, (${MS} % ${CYCLE})::int);
          perform set_config('heliograph.changing', 'on', true);
        end if;
        return date_trunc('milliseconds', clock_timestamp());
      end $$;

      -- All changes before this time are committed; statements that begin later see them.
      create function change_horizon() returns timestamptz volatile language plpgsql as $$
      declare
        now_ms bigint := ${MS};
        oldest bigint;
      begin
        -- Half a cycle ago is a clock that was set back meanwhile.
        select max(age) into oldest
          from (select (now_ms - objid::bigint + ${CYCLE}) % ${CYCLE} as age from pg_locks
                 where locktype = 'advisory' and classid = ${LOCK} and objsubid = 2
                   and database = (select oid from pg_database where datname = current_database())) l
         where age < ${CYCLE / 2};
        return timestamptz 'epoch' + (now_ms - coalesce(oldest, 0)) * interval '1 millisecond';
      end $$;

      drop view sendings_now;
      ${view(
        `date_trunc('milliseconds', greatest(b.updated_at, s.changed_at, case when s.changed_at is null then greatest(s.sent_at, s.delivered_at, s.seen_at, s.failed_at) end))`,
      )}`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop view sendings_now;
      alter table sendings drop changed_at;
      ${view(
        'greatest(uuid_extract_timestamp(s.id), b.updated_at, s.sent_at, s.delivered_at, s.seen_at, s.failed_at)',
      )};
      drop function change_horizon();
      drop function change_time()`);
  }
}

const view = (updatedAt: string) => `
      -- The one place that says what a sending's status, times, chain and outcome are.
      create view sendings_now as
        select s.*, coalesce(s.chain_id, s.id) as chain,
               coalesce(s.status, stage_status(b.stage)) as now_status,
               coalesce(s.status is null and b.stage <= 1 and t.state = 'paused', false) as is_paused,
               coalesce(s.sent_at, b.submitted_at) as submitted_at,
               uuid_extract_timestamp(s.id) as created_at,
               ${updatedAt} as updated_at,
               b.task_id, b.channel, b.stage, coalesce(t.data->'sending', b.plan) as plan,
               -- How its chain stands: on the first attempt, see outcomeOf().
               case when s.chain_id is null then s.outcome else (select f.outcome from sendings f where f.id = s.chain_id) end as now_outcome
          from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id`;
