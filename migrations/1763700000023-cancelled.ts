import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Chains whose last attempt a stop dropped, from when that counted as a failure. Found along the failures of stopped tasks;
 * apart from the new column, so that nobody's counting waits for it.
 */
export class Cancelled1763700000023 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      with cancelled as (
        update sendings f set outcome = 3
          from tasks t join sendings s on s.group_id = t.id
         where t.state = 'stopped' and s.failed_at is not null and s.error = 'stopped'
           and f.id = coalesce(s.chain_id, s.id) and f.outcome = 2
        returning f.group_id
      ), counted as (select group_id, count(*)::int as n from cancelled group by group_id)
      update task_counters c set cancelled = n.n, errored = c.errored - n.n from counted n where c.task_id = n.group_id`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      update sendings f set outcome = 2 from task_counters c where c.cancelled > 0 and f.group_id = c.task_id and f.outcome = 3;
      update task_counters set errored = errored + cancelled, cancelled = 0 where cancelled > 0`);
  }
}
