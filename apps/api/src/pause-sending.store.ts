import type { Db } from './core/db/db.ts';
import { Automation } from './features/automations/automation.entity.ts';
import { PAUSED } from './features/automations/automations.service.ts';
import { RecurringSending } from './features/recurring-sendings/recurring-sending.entity.ts';

/** What was paused, and the messages that workers submit as soon as they run. */
export interface PausedSending {
  bulks: number;
  recurring: number;
  automations: number;
  pending: number;
}

/**
 * Pauses every bulk that has begun or is due, every recurring sending and every automation. For a database that was restored: what it has
 * still to send may have been sent since.
 */
export function pauseSending(db: Db, now: Date): Promise<PausedSending> {
  return db.transaction(async () => {
    const bulks = await db.execute(
      `with due as (
         select id from tasks where state = 'running' or (state = 'scheduled' and starts_at <= $1) order by id for no key update)
       update tasks t set state = 'paused', reason = null, updated_at = $1 from due where t.id = due.id`,
      [now],
    );
    const recurring = await db.manager.update(
      RecurringSending,
      { isActive: true },
      { isActive: false, nextRunAt: null, attemptAt: null, reason: null },
    );
    const automations = await db.manager.update(
      Automation,
      { isActive: true },
      { ...PAUSED, reason: null },
    );
    const [row] = await db.query<{ pending: number }>(
      `select coalesce(sum(size), 0)::int as pending from batches where task_id is null and stage = 0`,
    );
    return {
      bulks,
      recurring: recurring.affected!,
      automations: automations.affected!,
      pending: row!.pending,
    };
  });
}
