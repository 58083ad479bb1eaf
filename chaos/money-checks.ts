import { formatMoney, MAX_FAILED_CHARGES, parseMoney } from '@heliograph/domain';
import type { SandboxPayment } from '@heliograph/simulators';
import type { Finding } from './checks.ts';
import type { Database } from './database.ts';
import type { FlakyAcquirer } from './flaky-acquirer.ts';
import type { Money } from './money.ts';

export interface MoneyFigures {
  payments: number;
  charges: number;
  refunds: number;
  invoices: number;
}

interface Row {
  id: string;
  status: string;
  /** What was credited. */
  amount: string;
  /** What the payer paid: with the commission. */
  sum: string;
  refunded: string;
}

const CREDITED = ['completed', 'partialRefunded', 'refunded'];

/** What was charged, and whether the product and the acquirer agree about it. The rules of `cli verify` are checked beside this. */
export async function checkMoney(
  money: Money,
  acquirer: FlakyAcquirer,
  db: Database,
): Promise<{ findings: Finding[]; figures: MoneyFigures }> {
  const rows = await db.rows<Row>(
    `select id, status, amount::text, (amount + commission)::text as sum, refunded::text from payments`,
  );
  const findings = [
    { what: 'a payment differs from what the acquirer says', rows: disagreements(rows, acquirer) },
    {
      what: 'the sums of the ledger and of the acquirer differ',
      rows: await sums(rows, db, acquirer),
    },
    { what: 'saved cards were charged too often or too seldom', rows: await charges(money, db) },
    { what: 'an answered invoice is missing', rows: await missing(money, db) },
  ].filter((finding) => finding.rows.length);
  const [figures] = await db.rows<MoneyFigures>(
    `select (select count(*) from payments where status not in ('init', 'error'))::int as payments,
            (select count(*) from payments where kind = 'charge')::int as charges,
            (select count(*) from payment_refunds)::int as refunds,
            (select count(*) from invoices)::int as invoices`,
  );
  return { findings, figures: figures! };
}

function disagreements(rows: Row[], acquirer: FlakyAcquirer): unknown[] {
  const there = new Map(acquirer.payments.map((payment) => [payment.reference, payment]));
  const wrong: unknown[] = [];
  for (const row of rows) {
    const { id, status, sum, refunded } = row;
    const known = there.get(id);
    there.delete(id);
    const isPaid = known?.status === 'paid';
    const agrees = CREDITED.includes(status)
      ? isPaid &&
        parseMoney(known.amount) === parseMoney(sum) &&
        creditRefunded(row, known) === parseMoney(refunded)
      : status === 'error' && !isPaid;
    if (!agrees) wrong.push({ ...row, known });
  }
  return [...wrong, ...[...there.values()].map((unknown) => ({ unknown }))];
}

/** A refund made at the acquirer may give back the commission too. It was not credited, so it is not taken from the balance. */
function creditRefunded({ amount }: Row, { refunds }: SandboxPayment): bigint {
  const total = Object.values(refunds).reduce((sum, part) => sum + parseMoney(part), 0n);
  const credited = parseMoney(amount);
  return total < credited ? total : credited;
}

/** To the kopeck: what the acquirer took and gave back, without commissions, is what the ledger has with its shortfalls. */
async function sums(rows: Row[], db: Database, acquirer: FlakyAcquirer): Promise<unknown[]> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const [row] = await db.rows<Record<'ledger' | 'commission' | 'shortfall', string>>(
    `select (select coalesce(sum(amount), 0) from billings where origin in (1, 2) and status = 1)::text as ledger,
            (select coalesce(sum(commission), 0) from payments where status not in ('init', 'error'))::text as commission,
            (select coalesce(sum(shortfall), 0) from payment_refunds)::text as shortfall`,
  );
  const { ledger, commission, shortfall } = row!;
  const taken = acquirer.payments
    .filter(({ status, reference }) => status === 'paid' && byId.has(reference))
    .reduce(
      (sum, known) =>
        sum + parseMoney(known.amount) - creditRefunded(byId.get(known.reference)!, known),
      0n,
    );
  const expected = parseMoney(ledger) + parseMoney(commission) - parseMoney(shortfall);
  return taken === expected ? [] : [{ ...row, taken: formatMoney(taken) }];
}

/** One charge for the period, one for each crossing, and no more than the allowed ones of a card that is declined. */
async function charges({ dated, crossing, declined }: Money, db: Database): Promise<unknown[]> {
  const rows = await db.rows<{
    id: string;
    status: string;
    failures: number;
    crossings: number;
    paid: number;
    failed: number;
  }>(
    `select r.owner_id as id, r.status, r.failures,
            (select count(*) from billings b where b.owner_id = r.owner_id and b.source = -2 and b.origin is null)::int as crossings,
            (select count(*) from payments p where p.recurrent_payment_id = r.id and p.kind = 'charge' and p.status <> 'error')::int as paid,
            (select count(*) from payments p where p.recurrent_payment_id = r.id and p.kind = 'charge' and p.reason = 'declined')::int as failed
       from recurrent_payments r where r.status <> 'init'`,
  );
  return rows.filter(({ id, status, crossings, paid, failed }) => {
    if (id === dated.id) return status !== 'ready' || paid !== 1 || failed !== 0;
    if (id === crossing.id) return status !== 'ready' || paid !== crossings || failed !== 0;
    if (id !== declined.id || paid !== 0) return true;
    return crossings > 0 && (status !== 'error' || failed !== MAX_FAILED_CHARGES);
  });
}

async function missing({ issued }: Money, db: Database): Promise<unknown[]> {
  const rows = await db.rows<{ id: string }>(`select id from invoices`);
  const there = new Set(rows.map(({ id }) => id));
  return issued.filter((id) => !there.has(id));
}
