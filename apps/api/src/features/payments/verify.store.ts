import { CREDITED_STATUSES } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, ORIGIN_CODES } from '../billings/billings.service.ts';

const isCredited = `p.status in (${CREDITED_STATUSES.map((status) => `'${status}'`).join(', ')})`;
const { complete, invalid } = BILLING_STATUS_CODES;

/** What the refunds of a payment say. */
const REFUNDS = `select payment_id, coalesce(sum(amount) filter (where status = 'done'), 0) as done,
                        count(*) filter (where status = 'requested') as open, count(*) as all
                   from payment_refunds group by payment_id`;

/** Invariants of payments and refunds; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a credited payment has one entry of its amount without the commission, any other has none': `
    select coalesce(p.id, b.origin_id) as id, coalesce(p.status || ' ' || p.amount, 'no payment') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from payments p full join (select * from billings where origin = ${ORIGIN_CODES.payment}) b on b.origin_id = p.id
     where case when ${isCredited} then (b.owner_id = p.owner_id and b.amount = p.amount and b.status = ${complete}) is not true else b.id is not null end`,
  'a refund has its entry, a failed one has given the money back': `
    select coalesce(r.id, b.origin_id) as id, coalesce(r.status || ' ' || r.amount, 'no refund') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from (select r.*, p.owner_id from payment_refunds r join payments p on p.id = r.payment_id) r
      full join (select * from billings where origin = ${ORIGIN_CODES.refund}) b on b.origin_id = r.id
     where (b.owner_id = r.owner_id and b.amount = r.shortfall - r.amount
            and b.status = case r.status when 'failed' then ${invalid} else ${complete} end) is not true`,
  'a payment is refunded by as much as its refunds': `
    select p.id, p.refunded || ' of ' || p.amount || ', refunds ' || coalesce(r.done, 0) as detail
      from payments p left join (${REFUNDS}) r on r.payment_id = p.id
     where p.refunded <> coalesce(r.done, 0) or p.refunded > p.amount`,
  'the status of a payment is that of its refunds': `
    select p.id, p.status || ', refunded ' || p.refunded || ' of ' || p.amount || ', requested ' || coalesce(r.open, 0) as detail
      from payments p left join (${REFUNDS}) r on r.payment_id = p.id
     where case when not ${isCredited} then r.payment_id is not null or p.refunded > 0
                else p.status <> case when r.open > 0 then 'refundRequested' when p.refunded = 0 then 'completed'
                                      when p.refunded < p.amount then 'partialRefunded' else 'refunded' end end`,
  'a credited payment has its time, another has none': `
    select p.id, p.status || ', completed at ' || coalesce(p.completed_at::text, 'never') as detail
      from payments p where ${isCredited} <> (p.completed_at is not null)`,
  'the acquirer is asked about what is open, and about nothing else': `
    select p.id, p.status || ', next query ' || coalesce(p.next_query_at::text, 'never') as detail
      from payments p where (p.status in ('init', 'refundRequested')) <> (p.next_query_at is not null)`,
};

/** An empty array means that payments and ledger agree. */
export const verifyPayments = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
