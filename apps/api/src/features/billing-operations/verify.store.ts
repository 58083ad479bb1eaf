import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, ORIGIN_CODES } from '../billings/billings.service.ts';

/** Invariants of bulk operations; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'an applied row of a bulk operation has its ledger entry, and an entry of an operation an applied row': `
    select coalesce(r.id, b.origin_id) as id, 'row ' || coalesce(r.amount::text, 'missing') || ', entry ' || coalesce(b.amount::text, 'missing') as detail
      from (select * from billing_operation_rows where outcome = 'applied') r
      full join (select * from billings where origin = ${ORIGIN_CODES.operation}) b on b.origin_id = r.id
     where (r.account_id = b.owner_id and r.amount = b.amount and b.status = ${BILLING_STATUS_CODES.complete}) is not true`,
  'a bulk operation that was started has a task, and a preview neither task nor entries': `
    select o.id, o.state || ', task ' || coalesce(t.type, 'missing') as detail
      from billing_operations o left join tasks t on t.id = o.id and t.type = 'billings:operations'
     where (o.state = 'previewed') <> (t.id is null)
        or o.state = 'previewed' and exists (select 1 from billing_operation_rows r where r.operation_id = o.id and r.outcome = 'applied')`,
  'a finished bulk operation has an outcome of each row, and its task has ended with these counts': `
    select o.id, 'task ' || coalesce(t.state, 'missing') || ', applied ' || n.applied || ' of ' || coalesce(c.completed, 0) || ', open ' || n.open as detail
      from billing_operations o left join tasks t on t.id = o.id left join task_counters c on c.task_id = o.id,
           lateral (select count(*) filter (where outcome = 'applied') as applied, count(*) filter (where outcome is null) as open
                      from billing_operation_rows r where r.operation_id = o.id) n
     where o.state = 'finished' and (t.state in ('completed', 'failed', 'stopped') and n.open = 0 and n.applied = c.completed) is not true`,
};

/** An empty array means that operations, tasks and ledger agree. */
export const verifyOperations = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
