import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a stop drops is cancelled and not failed: outcome 3, with a counter of its own; attempts tell the outcome of their chain. */
export class Outcomes1763700000018 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table task_counters add cancelled integer not null default 0;
      drop view sendings_now;
    `);
    await q.query(
      view(`,
               -- How its chain stands: on the first attempt, see outcomeOf().
               case when s.chain_id is null then s.outcome else (select f.outcome from sendings f where f.id = s.chain_id) end as now_outcome`),
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop view sendings_now;
      alter table task_counters drop cancelled;
    `);
    await q.query(view(''));
  }
}

const view = (outcome: string) => `
      -- The one place that says what a sending's status, times, chain and outcome are.
      create view sendings_now as
        select s.*, coalesce(s.chain_id, s.id) as chain,
               coalesce(s.status, stage_status(b.stage)) as now_status,
               coalesce(s.status is null and b.stage <= 1 and t.state = 'paused', false) as is_paused,
               coalesce(s.sent_at, b.handed_at) as handed_at,
               uuid_extract_timestamp(s.id) as created_at,
               greatest(uuid_extract_timestamp(s.id), b.updated_at, s.sent_at, s.delivered_at, s.seen_at, s.failed_at) as updated_at,
               b.task_id, b.channel, b.stage, coalesce(t.data->'sending', b.plan) as plan${outcome}
          from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id`;
