import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';

/** Invariants of instances and their months; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a month has one ledger entry of its amount': `
    select p.id, coalesce(b.amount::text, 'none') as detail from wapi_periods p
      left join billings b on b.origin = ${ORIGIN_CODES.wapi} and b.origin_id = p.id
     where case when p.amount = 0 then b.id is not null else b.amount is distinct from -p.amount or b.owner_id <> p.owner_id end`,
  'an entry of a subscription belongs to a month': `
    select b.id, b.amount::text as detail from billings b left join wapi_periods p on p.id = b.origin_id
     where b.origin = ${ORIGIN_CODES.wapi} and p.id is null`,
  'months of an instance do not overlap': `
    select instance_id as id, starts_at || ' before ' || before as detail
      from (select instance_id, starts_at, lag(ends_at) over (partition by instance_id order by starts_at) as before from wapi_periods) p
     where starts_at < before`,
  'an instance ends with its last month': `
    select w.id, w.expired_at || ' and ' || coalesce(max(p.ends_at)::text, 'none') as detail
      from wapi_instances w left join wapi_periods p on p.instance_id = w.id group by w.id having max(p.ends_at) is distinct from w.expired_at`,
  'a month belongs to the account of its instance': `
    select p.id, p.owner_id || ' and ' || w.owner_id as detail from wapi_periods p join wapi_instances w on w.id = p.instance_id where p.owner_id <> w.owner_id`,
};

export const verifyWapi = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
