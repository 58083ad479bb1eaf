type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** So many days ago the referred account paid, and how much. The bonus is a tenth. */
const PAYMENTS: [daysAgo: number, amount: number][] = [
  [12, 1000],
  [5, 500],
];

/** A referral code of `referrer`, and bonuses for payments of `referred`, which registered with it. */
export async function seedReferrals(
  query: Query,
  referrer: string,
  referred: string,
): Promise<void> {
  await query(`update users set referral_code = 'MIRTEA10' where id = $1`, [referrer]);
  await query(`update users set referrer_id = $1 where id = $2`, [referrer, referred]);
  await query(
    `with p as (
       insert into payments (id, owner_id, created_by, method, amount, currency, status, url_success, url_fail, expires_at, completed_at, created_at, updated_at)
       select uuidv7(make_interval(days => -d.days)), $2, $2, 'sandbox', d.amount, 'RUB', 'completed', '/balance/payments', '/balance/payments',
              at + interval '1 day', at, at, at
         from jsonb_to_recordset($3::jsonb) as d(days int, amount numeric)
        cross join lateral (select now() - make_interval(days => d.days)) as t(at)
       returning id, amount
     ), credited as (
       update billings b set origin = 1, origin_id = p.id, created_by = null from p where b.owner_id = $2 and b.amount = p.amount
     ), bonus as (
       insert into referral_bonuses (owner_id, referred_id, origin, origin_id, paid, amount)
       select $1, $2, 1, p.id, p.amount, p.amount / 10 from p returning id, amount
     )
     update billings b set origin = 4, origin_id = n.id, created_by = null
       from bonus n where b.owner_id = $1 and b.amount = n.amount and b.origin is null`,
    [referrer, referred, JSON.stringify(PAYMENTS.map(([days, amount]) => ({ days, amount })))],
  );
}
