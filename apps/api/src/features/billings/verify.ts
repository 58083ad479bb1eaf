import type { Db } from '../../core/db/db.ts';
import { BY_HAND, STATUS } from './billing.codes.ts';

/** Something in the data that must never be. */
export interface Problem {
  what: string;
  /** The row that breaks it. */
  id: string;
  detail: string;
}

const stands = `status not in (${STATUS.refunded}, ${STATUS.invalid})`;

/** What holds of money at any moment, asked in one snapshot: a rule, and the rows that break it. */
const RULES: Record<string, string> = {
  'a balance is the sum of the entries that stand': `
    select owner_id as id, 'balance ' || coalesce(m.balance, 0) || ', entries ' || coalesce(e.sum, 0) as detail
      from balances m
      full join (select owner_id, sum(amount) from billings where ${stands} group by owner_id) e using (owner_id)
     where coalesce(m.balance, 0) <> coalesce(e.sum, 0)`,
  'a balance is covered': `
    select owner_id as id, balance || ' + ' || overdraft as detail from balances where balance + overdraft < 0`,
  'a refunded entry has its time, another has none': `
    select id, 'status ' || status || ', refunded at ' || coalesce(refunded_at::text, 'never') as detail
      from billings where (status = ${STATUS.refunded}) <> (refunded_at is not null)`,
  'an accrual adds, any other entry but a transfer takes': `
    select id, source || ': ' || amount as detail from billings
     where case source when ${BY_HAND.accrual} then amount < 0 when ${BY_HAND.transfer} then false else amount > 0 end`,
  'a transfer has two entries of two accounts, and they sum to zero': `
    select b.id, b.amount || ' and ' || coalesce(c.amount::text, 'nothing') as detail
      from billings b left join billings c on c.id = b.counterpart_id and c.counterpart_id = b.id
     where (b.counterpart_id is not null or b.source = ${BY_HAND.transfer})
       and (b.amount + c.amount = 0 and b.owner_id <> c.owner_id and b.status = ${STATUS.complete}) is not true`,
  'only a charge for a sending is refunded': `
    select id, 'source ' || source as detail from billings where status = ${STATUS.refunded} and source < 0`,
  'an entry belongs to an account holder': `
    select b.id, 'owner ' || b.owner_id as detail from billings b
     where not exists (select 1 from users u where u.id = b.owner_id and u.owner_id = u.id)`,
};

/** Proves the ledger; an empty answer is a good one. */
export async function verifyLedger(db: Db): Promise<Problem[]> {
  const all = Object.values(RULES).map(
    (sql, n) => `(select ${n} as n, r.id, r.detail from (${sql}) r limit 100)`,
  );
  const rows = await db.queryUnprepared<{ n: number; id: string; detail: string }>(
    all.join(' union all '),
  );
  return rows.map(({ n, id, detail }) => ({ what: Object.keys(RULES)[n]!, id, detail }));
}
