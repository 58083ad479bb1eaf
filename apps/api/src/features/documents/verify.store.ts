import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';

/** Invariants of invoices and acts; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'a paid invoice has its ledger entry, and its amount is that of the invoice': `
    select i.id, i.doc_number || ': ' || i.amount || ', entry ' || coalesce(b.amount::text, 'missing') as detail
      from invoices i left join billings b on b.origin = ${ORIGIN_CODES.invoice} and b.origin_id = i.id and b.owner_id = i.owner_id
     where i.type = 'invoice' and i.status = 'paid' and b.amount is distinct from i.amount`,
  'a ledger entry of an invoice has a paid invoice': `
    select b.id, 'invoice ' || b.origin_id || ' is ' || coalesce(i.status, 'missing') as detail
      from billings b left join invoices i on i.id = b.origin_id and i.type = 'invoice'
     where b.origin = ${ORIGIN_CODES.invoice} and i.status is distinct from 'paid'`,
  'numbers have no gap': `
    select c.company_id as id, c.type || ' ' || c.year || ': last ' || c.last || ', documents ' || coalesce(i.count, 0) as detail
      from invoice_counters c
      left join (select company_id, type, year, count(*), max(number) from invoices group by 1, 2, 3) i using (company_id, type, year)
     where c.last is distinct from i.count or c.last is distinct from i.max`,
  'a document has a counter': `
    select i.id, i.doc_number as detail from invoices i
     where not exists (select 1 from invoice_counters c where c.company_id = i.company_id and c.type = i.type and c.year = i.year)`,
};

/** An empty array means that documents and ledger agree. */
export const verifyInvoices = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
