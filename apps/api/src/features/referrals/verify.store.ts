import { CREDITED_STATUSES } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';

const CREDITED = CREDITED_STATUSES.map((status) => `'${status}'`).join(', ');

/** Bonuses with what was paid for them. */
const PAID = `
  referral_bonuses n
    left join payments p on n.origin = ${ORIGIN_CODES.payment} and p.id = n.origin_id
    left join invoices i on n.origin = ${ORIGIN_CODES.invoice} and i.id = n.origin_id`;

/** Invariants of referral bonuses; each statement selects the rows that break one. Their entries are checked with the ledger. */
const RULES: Record<string, string> = {
  'a referral bonus is for a credited payment or invoice of the referred account': `
    select n.id, 'paid ' || n.paid || ', ' || coalesce(p.status || ' ' || p.amount, i.status || ' ' || i.amount, 'nothing') as detail
      from ${PAID}
     where (coalesce(p.owner_id, i.owner_id) = n.referred_id and coalesce(p.amount, i.amount) = n.paid
            and coalesce(p.status in (${CREDITED}), i.status = 'paid')) is not true`,
  'a referral bonus is the share that was agreed': `
    select id, amount || ' of ' || paid || ' at ' || percent || ' %' as detail from referral_bonuses
     where amount <> trunc(paid * percent / 100, 4)`,
  'a referral bonus is given within its period': `
    select n.id, 'after ' || (uuid_extract_timestamp(n.id) - u.created_at) || ' of ' || n.days || ' days' as detail
      from referral_bonuses n join users u on u.id = n.referred_id
     where uuid_extract_timestamp(n.id) > u.created_at + make_interval(days => n.days) + interval '1 minute'`,
  'a refund takes back its part of the referral bonus': `
    select n.id, 'returned ' || n.returned || ' of ' || n.amount || ' for ' || coalesce(p.refunded, 0) || ' of ' || n.paid as detail
      from ${PAID}
     where n.returned <> div(n.amount * 10000 * coalesce(p.refunded, 0), n.paid) / 10000`,
};

export const verifyReferrals = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
