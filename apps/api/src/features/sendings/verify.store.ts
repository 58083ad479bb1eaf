import { OUTCOME_CODES, STATUS_CODES, STOPPED } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, restSql, secondsSql } from '../billings/billings.service.ts';

const { delivered, seen, failed } = STATUS_CODES;

/** Invariants of sendings, chains and counters; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a task counter differs from its chains': `
    select c.task_id as id, format('total %s/%s completed %s/%s errored %s/%s cancelled %s/%s', c.total, r.total, c.completed, r.completed,
                                   c.errored, r.errored, c.cancelled, r.cancelled) as detail
      from task_counters c join (
        select t.id, count(s.id) as total, count(*) filter (where s.outcome = ${OUTCOME_CODES.delivered}) as completed, count(*) filter (where s.outcome = ${OUTCOME_CODES.failed}) as errored,
               count(*) filter (where s.outcome = ${OUTCOME_CODES.cancelled}) as cancelled
          from tasks t left join sendings s on s.group_id = t.id and s.chain_id is null where t.type = 'sendings:bulk' group by t.id) r on r.id = c.task_id
     where (c.total, c.completed, c.errored, c.cancelled) <> (r.total, r.completed, r.errored, r.cancelled)`,
  'a finished task has a live chain': `
    select s.id, t.id::text as detail from tasks t join sendings s on s.group_id = t.id and s.chain_id is null
     where t.state in ('completed', 'failed') and s.outcome is null`,
  'the rest of a bulk started without a choice of its text': `
    select t.id, t.state as detail from tasks t
     where t.type = 'sendings:bulk' and t.data #>> '{sending,variants,part}' = 'rest' and t.started_at is not null
       and t.data #>> '{sending,variants,chosen,variant}' is null`,
  'a recipient is in two parts of a bulk': `
    select s.id, o.group_id::text as detail from tasks t cross join lateral jsonb_each_text(t.data #> '{sending,variants,tasks}') p
      join sendings s on s.group_id = t.id and s.chain_id is null
      join sendings o on o.group_id = p.value::uuid and o.phone = s.phone and o.chain_id is null
     where t.type = 'sendings:bulk' and t.data->'sending' ? 'variants' and p.value::uuid > t.id`,
  'a chain ended otherwise than its attempts say': `
    select f.id, format('outcome %s', f.outcome) as detail from sendings f
     where f.chain_id is null and f.outcome is distinct from ${OUTCOME_CODES.delivered}
       and exists (select 1 from sendings s where (s.id = f.id or s.chain_id = f.id) and s.status in (${delivered}, ${seen}))
    union all
    select f.id, format('outcome %s', f.outcome) from sendings f
     cross join lateral (select s.status, s.error from sendings s where s.id = f.id or s.chain_id = f.id order by s.attempt desc limit 1) last
     where f.chain_id is null and f.outcome is distinct from ${OUTCOME_CODES.delivered} and f.outcome is not null
       and (last.status is distinct from ${failed} or f.outcome <> case last.error when '${STOPPED}' then ${OUTCOME_CODES.cancelled} else ${OUTCOME_CODES.failed} end)`,
  'a chain has two live attempts': `
    select coalesce(s.chain_id, s.id) as id, count(*)::text as detail from sendings_now s
     where s.now_status < ${delivered} and not exists (select 1 from sendings n where n.chain_id = coalesce(s.chain_id, s.id) and n.attempt = s.attempt + 1)
     group by 1 having count(*) > 1`,
  'a failed sending was not refunded': `
    select s.id, b.status::text as detail from sendings s join billings b on b.id = s.id where s.status = ${failed} and (s.amount > 0 or b.package_id is not null) and b.status = ${BILLING_STATUS_CODES.complete}`,
  'a sending has no entry, or one of another amount': `
    select s.id, coalesce(b.amount::text, 'none') as detail from sendings s left join billings b on b.id = s.id
     where (s.amount > 0 or b.amount < 0) and (b.id is null or b.amount + ${restSql('b')} <> -s.amount or b.owner_id <> s.owner_id)`,
  'a message waits for a look-up that has ended': `
    select w.sending_id as id, l.id::text as detail from lookup_waits w join sendings l on l.id = w.lookup_id where l.status >= ${delivered}`,
  'the length of a call decided its price, and the call was not delivered': `
    select s.id, format('status %s, %s seconds', s.status, c.seconds) as detail from call_charges c join sendings s on s.id = c.sending_id
     where c.settled_at is not null and (s.status in (${delivered}, ${seen})) is not true`,
  'the noted seconds of a call are not what its length says': `
    select c.sending_id as id, format('%s noted for %s', c.units, c.seconds) as detail from call_costs c
     where c.price is not null and c.seconds is not null and c.units <> ${secondsSql('c.seconds')}`,
  'what calls of a batch cost is not noted': `
    select coalesce(c.id, m.owner_id) as id, format('batch %s: noted %s seconds of %s', coalesce(c.batch_id, m.batch_id), coalesce(m.units, 0), coalesce(c.units, 0)) as detail
      from (select s.batch_id, c.mccmnc, c.price, c.currency, sum(c.units) as units, min(s.id::text)::uuid as id from call_costs c join sendings s on s.id = c.sending_id
             where c.price is not null group by 1, 2, 3, 4) c
      full join (select batch_id, coalesce(mccmnc, '') as network, price, currency, sum(units) as units, min(owner_id::text)::uuid as owner_id from message_costs where price_units > 1 group by 1, 2, 3, 4) m
        on m.batch_id = c.batch_id and m.network = coalesce(c.mccmnc, '') and m.price = c.price and m.currency = c.currency
     where coalesce(m.units, 0) <> coalesce(c.units, 0)`,
  'an entry charges for a sending that does not exist': `
    select b.id, b.amount::text as detail from billings b left join sendings s on s.id = b.id where b.source > 0 and b.created_by is null and s.id is null`,
};

export const verifySendings = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
