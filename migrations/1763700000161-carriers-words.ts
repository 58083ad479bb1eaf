import type { MigrationInterface, QueryRunner } from 'typeorm';

/** On the row, which is written anyway when a message fails: null costs nothing, and what erases the message erases them. */
const COLUMNS = 'add carrier_code text, add carrier_text text';

export class CarriersWords1763700000161 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What the carrier said about a failure besides our code.
      alter table sendings ${COLUMNS};
      alter table unmatched_reports ${COLUMNS};
      alter table carrier_refs ${COLUMNS};
      drop view sendings_now;
      ${VIEW}`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop view sendings_now;
      alter table sendings drop carrier_code, drop carrier_text;
      alter table unmatched_reports drop carrier_code, drop carrier_text;
      alter table carrier_refs drop carrier_code, drop carrier_text;
      ${VIEW}`);
  }
}

const VIEW = `
      -- The one place that says what a sending's status, times, chain and outcome are.
      create view sendings_now as
        select s.*, coalesce(s.chain_id, s.id) as chain,
               coalesce(s.status, stage_status(b.stage)) as now_status,
               coalesce(s.status is null and b.stage <= 1 and t.state = 'paused', false) as is_paused,
               coalesce(s.sent_at, b.submitted_at) as submitted_at,
               uuid_extract_timestamp(s.id) as created_at,
               date_trunc('milliseconds', greatest(b.updated_at, s.changed_at, case when s.changed_at is null then greatest(s.sent_at, s.delivered_at, s.seen_at, s.failed_at) end)) as updated_at,
               b.task_id, b.channel, b.stage, coalesce(t.data->'sending', b.plan) as plan,
               -- How its chain stands: on the first attempt, see outcomeOf().
               case when s.chain_id is null then s.outcome else (select f.outcome from sendings f where f.id = s.chain_id) end as now_outcome
          from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id`;
