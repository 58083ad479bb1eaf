type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** An invoice of the customer. */
export interface DemoInvoice {
  days: number;
  amount: string;
  status: 'pending' | 'paid' | 'rejected';
  reason?: string;
  /** The start of the title of its requisites. */
  requisite: string;
  company: string;
}

const WITH_VAT = { requisite: 'ООО', company: 'ООО «Гелиограф»' };

export const DEMO_INVOICES: DemoInvoice[] = [
  { days: 33, amount: '12000.00', status: 'paid', ...WITH_VAT },
  {
    days: 20,
    amount: '50000.00',
    status: 'rejected',
    reason: 'Оплата не поступила в срок. Выставьте новый счёт.',
    ...WITH_VAT,
  },
  { days: 3, amount: '7500.50', status: 'pending', ...WITH_VAT },
  {
    days: 1,
    amount: '3000.00',
    status: 'pending',
    requisite: 'АНО',
    company: 'ООО «Гелиограф Связь»',
  },
];

/** The columns of an invoice, named as in the table. */
export type SeededInvoice = Record<string, unknown>;

/** Messages of the last month, as they were entered when the account was moved here. They cost what the paid invoice brought. */
const DAILY_CHARGES = [280, 440, 360, 520, 400, 240, 560];
const CHARGED_DAYS = 30;
const SMS = 1;
const VIBER = 4;

const COLUMNS = `id uuid, type text, source text, status text, amount numeric, currency text, vat_rate int, vat_amount numeric, company_id uuid,
  requisite_id uuid, year int, number int, doc_number text, day date, valid_until timestamptz, snapshot jsonb, document_id uuid, reason text,
  at timestamptz, decided_at timestamptz`;

/** Invoices in every status with the entry of the paid one, and a month of charges. The worker makes their documents and the act. */
export async function seedInvoices(
  query: Query,
  owner: string,
  manager: string,
  invoices: SeededInvoice[],
): Promise<void> {
  await query(
    `with i as (
       insert into invoices (id, owner_id, type, source, status, amount, currency, vat_rate, vat_amount, company_id, requisite_id, year, number,
                             doc_number, day, valid_until, snapshot, document_id, reason, paid_at, paid_by, rejected_at, rejected_by, created_at, updated_at)
       select id, $1, type, source, status, amount, currency, vat_rate, vat_amount, company_id, requisite_id, year, number,
              doc_number, day, valid_until, snapshot, document_id, reason,
              case when status = 'paid' then decided_at end, case when status = 'paid' then $2::uuid end,
              case when status = 'rejected' then decided_at end, case when status = 'rejected' then $2::uuid end, at, coalesce(decided_at, at)
         from jsonb_to_recordset($3::jsonb) as r(${COLUMNS})
       returning *
     ), c as (
       insert into invoice_counters (company_id, type, year, last) select company_id, type, year, max(number) from i group by 1, 2, 3
     )
     insert into billings (id, owner_id, source, amount, origin, origin_id, comment)
     select uuidv7(paid_at - now()), owner_id, -1, amount, 3, id, doc_number from i where status = 'paid'`,
    [owner, manager, JSON.stringify(invoices)],
  );
  const charges = Array.from({ length: CHARGED_DAYS }, (_, n) => ({
    days: n + 1,
    source: n % 2 ? VIBER : SMS,
    // Four weeks and two days more.
    amount: -(n < 28 ? DAILY_CHARGES[n % 7]! : 400),
  }));
  await query(
    `insert into billings (id, owner_id, source, amount, created_by, comment)
     select uuidv7(make_interval(days => -e.days)), $1, e.source, e.amount, $2, 'Перенесено из прежней системы'
       from jsonb_to_recordset($3::jsonb) as e(days int, source int, amount numeric)`,
    [owner, manager, JSON.stringify(charges)],
  );
  await query(
    `update balances set balance = (select sum(amount) from billings where owner_id = $1 and status = 1) where owner_id = $1`,
    [owner],
  );
}
