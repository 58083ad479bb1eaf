import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, ORIGIN_CODES } from '../billings/billings.service.ts';

/** Invariants of monthly minimums; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a month is charged by one entry, what messages cost less than its minimum': `
    select coalesce(m.id, b.id) as id, 'fee ' || coalesce(m.fee::text, 'none') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from (select * from monthly_minimums where charged_at is not null) m
      full join (select * from billings where origin = ${ORIGIN_CODES.minimum}) b on b.origin_id = m.id
     where (b.owner_id = m.owner_id and b.amount = -m.fee and m.fee = m.minimum - m.spent and b.status = ${BILLING_STATUS_CODES.complete}) is not true`,
};

/** An empty array means that minimums and ledger agree. */
export const verifyMonthlyMinimums = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
