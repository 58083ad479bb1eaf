import { MAX_FAILED_CHARGES } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';

/** Clocks of workers and of the database may differ by less. */
const SKEW = `interval '1 minute'`;

const local = (at: string) => `(${at} at time zone c.time_zone)`;
const monthsTo = (at: string) =>
  `((extract(year from ${local(at)}) - extract(year from ${local('c.anchor')})) * 12
    + extract(month from ${local(at)}) - extract(month from ${local('c.anchor')}))::int`;

/** The number of the period in which `at` is, in a series that begins at `c.anchor`, as `nextChargeAt` counts them. */
const periodOf = (at: string) => `
  case c.frequency when 'daily' then floor(extract(epoch from ${local(at)} - ${local('c.anchor')}) / 86400)
                   when 'weekly' then floor(extract(epoch from ${local(at)} - ${local('c.anchor')}) / 604800)
                   else ${monthsTo(at)} - (${local('c.anchor')} + make_interval(months => ${monthsTo(at)}) > ${local(at)})::int end`;

/** Invariants of recurring payments and their charges; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'an account has one charge in flight at most': `
    select owner_id as id, count(*) || ' charges' as detail from payments
     where kind = 'charge' and status = 'init' group by owner_id having count(*) > 1`,
  'a period is charged once': `
    select c.recurrent_payment_id as id, c.id || ' and ' || c.before as detail
      from (select p.recurrent_payment_id, p.id, p.at, r.frequency, r.anchor, r.time_zone,
                   lag(p.id) over w as before, lag(p.at) over w as before_at
              from (select id, recurrent_payment_id, uuid_extract_timestamp(id) as at from payments where kind = 'charge' and status <> 'error') p
              join recurrent_payments r on r.id = p.recurrent_payment_id and r.type = 'frequency' and p.at >= r.anchor
            window w as (partition by p.recurrent_payment_id order by p.id)) c
     where c.before is not null and ${periodOf('c.at')} = ${periodOf('c.before_at')}
       and ${periodOf(`(c.at + ${SKEW})`)} = ${periodOf(`(c.before_at + ${SKEW})`)}`,
  'a charge has a task that ends with it': `
    select p.id, p.status || ', task ' || coalesce(t.state, 'none') as detail
      from payments p left join tasks t on t.id = p.id and t.type = 'payments:recurrent'
     where p.kind = 'charge'
       and (case when p.status = 'init' then t.state = 'running' when p.status = 'error' then t.state = 'failed'
                 else t.state in ('completed', 'failed') end) is not true`,
  'a charge belongs to the account of its recurring payment': `
    select p.id, p.owner_id || ' and ' || r.owner_id as detail
      from payments p join recurrent_payments r on r.id = p.recurrent_payment_id where p.kind <> 'single' and p.owner_id <> r.owner_id`,
  'a recurring payment stops after its last failed charge': `
    select id, status || ', failed ' || failures as detail from recurrent_payments
     where failures >= ${MAX_FAILED_CHARGES} and status in ('ready', 'pause')`,
};

export const verifyRecurrentPayments = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
