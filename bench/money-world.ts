import type { Product } from './product.ts';

const PAYMENT_COUNT = Number(process.env.BENCH_PAYMENTS ?? 1_000_000);
export const MONEY_WORLD = { payments: PAYMENT_COUNT, entries: 5 * PAYMENT_COUNT };

/**
 * 1,002 accounts: the demo's customer with every second row, one with payments that all failed, 1,000 customers of the demo's reseller. A
 * million payments of four months in turn, every fifth of them failed and every twentieth refunded, with their entries; the other entries are
 * charges, every twentieth refunded.
 */
const PEOPLE = `
create temp table people as
  select n, uuidv7() as id, case when n = 0 then 'bench-failing' else 'bench-customer-' || n end as username from generate_series(0, 1000) n;
insert into users (id, owner_id, username, password_hash, reseller_id, manager_id, referrer_id, data, is_verified, phone_confirmed_at, created_at)
  select p.id, p.id, p.username, c.password_hash, c.reseller_id, c.manager_id, c.id,
         jsonb_build_object('firstName', 'Имя' || p.n, 'lastName', 'Фамилия' || p.n, 'email', p.username || '@bench.example'), true, now(), now() - p.n * interval '1 hour'
    from people p, users c where c.username = 'customer';
insert into balances (owner_id, balance) select id, 0 from people;
create function pg_temp.owner(n bigint) returns uuid language sql stable as $f$
  select case when n % 2 = 0 then (select id from users where username = 'customer') else (select id from people where people.n = (n / 2) % 1001) end $f$;
create temp table owners as select n as k, pg_temp.owner(n) as id from generate_series(0, 2001) n;
create function pg_temp.id(ms bigint, n bigint) returns uuid language sql immutable as $f$
  select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid $f$;
`;

const PAYMENTS = `
insert into recurrent_payments (id, owner_id, created_by, type, threshold, frequency, method, amount, currency, status, card_number, card_token, failures, anchor, next_at)
  select uuidv7(n * interval '-1 minute'), o.id, o.id, case when n % 2 = 0 then 'threshold' else 'frequency' end, case when n % 2 = 0 then 100 end,
         case when n % 2 = 1 then 'monthly' end, 'sandbox', 100 + n % 900, 'RUB', (array['block', 'error', 'init', 'pause', 'ready'])[1 + n % 5], '4242', '\\x00', 0, now(), now() + interval '20 years'
    -- At most 20 of an account, as the quota allows.
    from generate_series(1, 20000) n join (select n as k, id from people) o on o.k = n % 1001;
insert into payments (id, owner_id, created_by, method, amount, commission, currency, status, reason, refunded, external_id, card_number, url_success, url_fail,
                      next_query_at, queries, expires_at, completed_at, created_at, updated_at)
  select pg_temp.id((extract(epoch from at) * 1000)::bigint, n), o.id, o.id, case when n % 10 = 0 then 'tinkoff' else 'sandbox' end, 10 + n % 5000, 1, 'RUB', s,
         case when s = 'error' then 'declined' end, case s when 'refunded' then 10 + n % 5000 when 'partialRefunded' then 5 else 0 end, 'x' || n, '4242', '/', '/',
         case when s = 'init' then now() + interval '20 years' end, 0, at, case when s not in ('init', 'error') then at end, at, at
    from generate_series(1, ${MONEY_WORLD.payments}::bigint) n
    join owners o on o.k = n % 2002
   cross join lateral (select case when o.k = 1 then 'error' when n % 20001 = 0 then 'init' when n % 20 = 1 then 'refunded'
                                   when n % 20 = 3 then 'partialRefunded' when n % 5 = 4 then 'error' else 'completed' end) as t(s)
   cross join lateral (select now() - (${MONEY_WORLD.payments} - n) * interval '10 seconds') as a(at);
insert into payment_refunds (payment_id, amount, status) select id, refunded, 'done' from payments p
   where refunded > 0 and not exists (select 1 from payment_refunds r where r.payment_id = p.id);
insert into companies (id, owner_id, title, tax_system, data) select uuidv7(), null, 'Bench', 'general', '{}';
insert into invoices (owner_id, type, source, status, amount, currency, company_id, year, number, doc_number, day, snapshot, document_id, made_at, paid_at, created_at)
  select o.id, 'invoice', 'user', case when n % 3 = 0 then 'paid' else 'pending' end, 100 + n % 5000, 'RUB', c.id, 2026, n, '2026-' || lpad(n::text, 6, '0'), now()::date, '{"titles": {"company": "Bench", "requisite": "Bench"}}', uuidv7(), now(),
         case when n % 3 = 0 then now() end, now() - n * interval '1 minute'
    from generate_series(1, 100000) n join owners o on o.k = n % 2002, companies c where c.title = 'Bench';
insert into invoice_counters (company_id, type, year, last) select id, 'invoice', 2026, 100000 from companies where title = 'Bench';
insert into referral_bonuses (owner_id, referred_id, origin, origin_id, paid, amount, percent, days)
  select c.id, p.owner_id, 1, p.id, p.amount, trunc(p.amount / 10, 4), 10, 36500
    from payments p, users c where c.username = 'customer' and p.owner_id <> c.id and p.status = 'completed'
     and not exists (select 1 from referral_bonuses b where b.origin = 1 and b.origin_id = p.id);
`;

const ENTRIES = `
insert into billings (id, owner_id, source, status, amount, origin, origin_id)
  select id, owner_id, -1, 1, amount, 1, id from payments where status not in ('init', 'error')
    and not exists (select 1 from billings b where b.origin = 1 and b.origin_id = payments.id);
insert into billings (id, owner_id, source, status, amount, origin, origin_id)
  select uuidv7(), p.owner_id, -2, 1, -r.amount, 2, r.id from payment_refunds r join payments p on p.id = r.payment_id
   where not exists (select 1 from billings b where b.origin = 2 and b.origin_id = r.id);
insert into billings (id, owner_id, source, status, amount, origin, origin_id) select uuidv7(), owner_id, -1, 1, amount, 4, id from referral_bonuses n
   where not exists (select 1 from billings b where b.origin = 4 and b.origin_id = n.id);
insert into billings (id, owner_id, source, status, amount, price, refunded_at)
  select pg_temp.id((extract(epoch from at) * 1000)::bigint, n), o.id, case when n % 3 = 0 then 4 else 1 end, case when n % 20 = 0 then 2 else 1 end, -2.1, '{2.1}', case when n % 20 = 0 then at end
    from generate_series(1, ${MONEY_WORLD.entries} - (select count(*) from billings)) n join owners o on o.k = n % 2002
   cross join lateral (select now() - (${MONEY_WORLD.entries} - n) * interval '2 seconds') as a(at);
`;

const POSTPONED = `select schemaname || '.' || indexname as name, indexdef as sql from pg_indexes
  where tablename in ('billings', 'payments') and indexname not like '%pkey'`;

/** Fills the product's database by set-based SQL, and leaves it vacuumed as autovacuum would. */
export async function moneyWorld({ db }: Pick<Product, 'db'>): Promise<void> {
  const { rows: indexes } = await db.query<{ name: string; sql: string }>(POSTPONED);
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  const client = await db.connect();
  try {
    for (const sql of [PEOPLE, PAYMENTS, ENTRIES]) await client.query(sql);
    await client.query(
      `set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`,
    );
    for (const { sql } of indexes) await client.query(sql);
  } finally {
    client.release(true);
  }
  for (const table of [
    'billings',
    'payments',
    'payment_refunds',
    'recurrent_payments',
    'invoices',
    'referral_bonuses',
    'users',
  ])
    await db.query(`vacuum analyze ${table}`);
}
