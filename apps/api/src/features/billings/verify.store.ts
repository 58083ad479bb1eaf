import type { Db } from '../../core/db/db.ts';
import { BILLING_STATUS_CODES, MANUAL_SOURCES } from './billing.codes.ts';

/** A row that breaks a rule. */
export interface Problem {
  what: string;
  id: string;
  detail: string;
}

const isValid = `status not in (${BILLING_STATUS_CODES.refunded}, ${BILLING_STATUS_CODES.invalid})`;

/** Invariants of the ledger; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a balance is the sum of its valid entries': `
    select owner_id as id, 'balance ' || coalesce(m.balance, 0) || ', entries ' || coalesce(e.sum, 0) as detail
      from balances m
      full join (select owner_id, sum(amount) from billings where ${isValid} group by owner_id) e using (owner_id)
     where coalesce(m.balance, 0) <> coalesce(e.sum, 0)`,
  'a balance is covered': `
    select owner_id as id, balance || ' + ' || overdraft as detail from balances where balance + overdraft < 0`,
  'a refunded entry has its time, another has none': `
    select id, 'status ' || status || ', refunded at ' || coalesce(refunded_at::text, 'never') as detail
      from billings where (status = ${BILLING_STATUS_CODES.refunded}) <> (refunded_at is not null)`,
  'an accrual adds, any other entry but a transfer takes': `
    select id, source || ': ' || amount as detail from billings
     where case source when ${MANUAL_SOURCES.accrual} then amount < 0 when ${MANUAL_SOURCES.transfer} then false else amount > 0 end`,
  'a transfer has two entries of two accounts, and they sum to zero': `
    select b.id, b.amount || ' and ' || coalesce(c.amount::text, 'nothing') as detail
      from billings b left join billings c on c.id = b.counterpart_id and c.counterpart_id = b.id
     where (b.counterpart_id is not null or b.source = ${MANUAL_SOURCES.transfer})
       and (b.amount + c.amount = 0 and b.owner_id <> c.owner_id and b.status = ${BILLING_STATUS_CODES.complete}) is not true`,
  'only a charge for a sending is refunded': `
    select id, 'source ' || source as detail from billings where status = ${BILLING_STATUS_CODES.refunded} and source < 0`,
  'an entry belongs to an account holder': `
    select b.id, 'owner ' || b.owner_id as detail from billings b
     where not exists (select 1 from users u where u.id = b.owner_id and u.owner_id = u.id)`,
};

/** Checks all invariants in one snapshot. An empty array means that the ledger is consistent. */
export async function verifyLedger(db: Db): Promise<Problem[]> {
  const all = Object.values(RULES).map(
    (sql, n) => `(select ${n} as n, r.id, r.detail from (${sql}) r limit 100)`,
  );
  const rows = await db.queryUnprepared<{ n: number; id: string; detail: string }>(
    all.join(' union all '),
  );
  return rows.map(({ n, id, detail }) => ({ what: Object.keys(RULES)[n]!, id, detail }));
}
