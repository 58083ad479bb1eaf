type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** A payment of the customer. Credited ones and their refunds are entries of the same amount in the demo ledger. */
interface DemoPayment {
  days: number;
  amount: number;
  status: 'init' | 'completed' | 'partialRefunded' | 'refunded' | 'error';
  refunded?: number;
  reason?: string;
  card?: string;
}

const PAYMENTS: DemoPayment[] = [
  { days: 60, amount: 10_000, status: 'completed', card: '4242' },
  { days: 50, amount: 8000, status: 'completed', card: '4242' },
  { days: 45, amount: 500, status: 'refunded', refunded: 500, card: '4242' },
  { days: 31, amount: 15_000, status: 'partialRefunded', refunded: 1250.5, card: '4444' },
  { days: 23, amount: 5000, status: 'completed', card: '4444' },
  { days: 16, amount: 3500, status: 'completed', card: '4444' },
  { days: 10, amount: 6000, status: 'error', reason: 'declined', card: '0002' },
  { days: 9, amount: 6000, status: 'completed', card: '4242' },
  { days: 3, amount: 4000, status: 'completed', card: '4242' },
  { days: 0, amount: 3000, status: 'init' },
];

/** Without saved cards: a card of the demo cannot be charged. */
const RECURRENT = [
  { type: 'frequency', frequency: 'monthly', amount: 5000, status: 'init' },
  { type: 'threshold', threshold: 1000, amount: 3000, status: 'error', card: '0341', failures: 3 },
  { type: 'frequency', frequency: 'weekly', amount: 2000, status: 'block', card: '4444' },
];

/** Payments in every status but a running refund, with their ledger entries, and recurring payments that wait for a card. */
export async function seedPayments(query: Query, owner: string, manager: string): Promise<void> {
  await query(
    `with d as (
       select * from jsonb_to_recordset($2::jsonb)
         as d(days int, amount numeric, status text, refunded numeric, reason text, card text)
     ), p as (
       insert into payments (id, owner_id, created_by, method, amount, currency, status, reason, refunded, card_number,
                             url_success, url_fail, next_query_at, expires_at, completed_at, created_at, updated_at)
       select uuidv7(make_interval(days => -d.days)), $1, $1, 'sandbox', d.amount, 'RUB', d.status, d.reason,
              coalesce(d.refunded, 0), d.card, '/balance/payments', '/balance/payments',
              case when d.status = 'init' then now() + interval '1 hour' end, at + interval '1 day',
              case when d.status not in ('init', 'error') then at end, at, at
         from d cross join lateral (select now() - make_interval(days => d.days)) as t(at)
       returning id, amount, refunded, created_at, status
     ), credited as (
       update billings b set origin = 1, origin_id = p.id, created_by = null
         from p where b.owner_id = $1 and b.amount = p.amount and p.status not in ('init', 'error')
     ), r as (
       insert into payment_refunds (payment_id, amount, status, created_by, created_at, updated_at)
       select id, refunded, 'done', $3, created_at + interval '1 day', created_at + interval '1 day' from p where refunded > 0
       returning id, amount
     )
     update billings b set origin = 2, origin_id = r.id from r where b.owner_id = $1 and b.amount = -r.amount`,
    [owner, JSON.stringify(PAYMENTS), manager],
  );
  // The built-in acquirer knows them, so they can be refunded and the open one be paid.
  await query(
    `with k as (
       update payments p set external_id = p.id where p.owner_id = $1 and p.method = 'sandbox' and p.status <> 'error' and p.external_id is null
       returning p.id, p.amount, p.currency, p.status, p.card_number
     )
     insert into sandbox_payments (id, reference, payment)
     select k.id, k.id, jsonb_build_object('id', k.id, 'reference', k.id, 'amount', to_char(k.amount, 'FM9999999990.00'),
              'currency', k.currency, 'description', 'Top-up', 'successUrl', '/balance/payments?paid=success',
              'failUrl', '/balance/payments?paid=fail', 'notifyUrl', '', 'savesCard', false,
              'status', case when k.status = 'init' then 'pending' else 'paid' end, 'card', k.card_number, 'paidAt', null,
              'refunds', coalesce((select jsonb_object_agg(r.id, to_char(r.amount, 'FM9999999990.00'))
                                     from payment_refunds r where r.payment_id = k.id), '{}'))
       from k`,
    [owner],
  );
  await query(
    `insert into recurrent_payments (owner_id, created_by, type, threshold, frequency, method, amount, currency, status, card_number, failures)
     select $1, $1, d.type, d.threshold, d.frequency, 'sandbox', d.amount, 'RUB', d.status, d.card, coalesce(d.failures, 0)
       from jsonb_to_recordset($2::jsonb)
         as d(type text, threshold numeric, frequency text, amount numeric, status text, card text, failures int)`,
    [owner, JSON.stringify(RECURRENT)],
  );
}
