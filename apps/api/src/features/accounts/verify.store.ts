import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, ORIGIN_CODES } from '../billings/billings.service.ts';

/** Invariants of closed accounts; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a closed account has no open bulk': `
    select t.id, t.state || ', owner ' || t.owner_id as detail from users u join tasks t on t.owner_id = u.id
     where u.closed_at is not null and t.type = 'sendings:bulk' and t.state in ('scheduled', 'running', 'paused')
       and t.removed_at is null and t.created_at <= u.closed_at`,
  'a closed account has no open package': `
    select p.id, 'ends ' || p.ends_at || ', owner ' || p.owner_id as detail from users u join message_packages p on p.owner_id = u.id
     where u.closed_at is not null and p.ends_at > u.closed_at`,
  'a closed account has nothing that begins by itself': `
    select id, detail from (
      select id, owner_id, 'recurring sending' as detail, created_at from recurring_sendings where is_active
      union all select id, owner_id, 'automation', created_at from automations where is_active
      union all select id, owner_id, 'report schedule', created_at from report_schedules where is_active
      union all select id, owner_id, 'recurrent payment', uuid_extract_timestamp(id) from recurrent_payments
      union all select id, owner_id, 'instance', uuid_extract_timestamp(id) from wapi_instances where state <> 'deleted' and not is_canceled) e
     where exists (select 1 from users u where u.id = e.owner_id and u.closed_at >= e.created_at)`,
  'a settlement has its entry, and the account that was settled one with it': `
    select coalesce(s.id, b.id) as id, 'amount ' || coalesce(s.amount::text, 'none') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from account_settlements s
      full join (select * from billings where origin = ${ORIGIN_CODES.settlement}) b on b.origin_id = s.id
     where (b.owner_id = s.owner_id and b.amount = s.amount and b.status = ${BILLING_STATUS_CODES.complete}) is not true
        or not exists (select 1 from account_settlements o where o.account_id = s.account_id and o.owner_id = s.account_id)`,
};

/** An empty array means that closed accounts are settled, and nothing of them goes on. */
export const verifyClosings = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
