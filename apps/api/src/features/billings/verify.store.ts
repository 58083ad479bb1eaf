import { typeCode } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import {
  BILLING_STATUS_CODES,
  MANUAL_SOURCES,
  ORIGIN_CODES,
  ORIGIN_SIGNS,
  restSql,
  secondsSql,
} from './billing.codes.ts';

const isValid = `status not in (${BILLING_STATUS_CODES.refunded}, ${BILLING_STATUS_CODES.invalid})`;

const originsOf = (sign: number) =>
  Object.entries(ORIGIN_CODES)
    .filter(([name]) => ORIGIN_SIGNS[name as keyof typeof ORIGIN_SIGNS] === sign)
    .map(([, code]) => code)
    .join(', ');

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
  'an entry with an origin is a manual one with the sign that its origin demands': `
    select id, 'origin ' || origin || ', source ' || source || ', amount ' || amount as detail from billings
     where origin is not null
       and (source not in (${MANUAL_SOURCES.accrual}, ${MANUAL_SOURCES.subtract}) or origin_id is null or counterpart_id is not null
            or origin in (${originsOf(1)}) and amount < 0 or origin in (${originsOf(-1)}) and amount > 0)`,
  'only an entry that took money for an origin is invalid': `
    select id, 'source ' || source || ', amount ' || amount as detail from billings
     where status = ${BILLING_STATUS_CODES.invalid} and (origin is null or amount > 0)`,
  'a referral bonus and what was taken back of it have their entries': `
    select coalesce(r.id, b.id) as id, 'bonus ' || coalesce(r.amount::text, 'none') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from (select id, owner_id, amount from referral_bonuses
            union all select t.id, n.owner_id, -t.taken from referral_returns t join referral_bonuses n on n.id = t.bonus_id) r
      full join (select * from billings where origin = ${ORIGIN_CODES.referral}) b on b.origin_id = r.id
     where (r.owner_id = b.owner_id and r.amount = b.amount and b.status = ${BILLING_STATUS_CODES.complete}) is not true`,
  'of a referral bonus no more is taken back than is recorded': `
    select n.id, n.returned || ' and ' || coalesce(sum(t.amount), 0) as detail
      from referral_bonuses n left join referral_returns t on t.bonus_id = n.id
     group by n.id having n.returned <> coalesce(sum(t.amount), 0)`,
  'a spend counter is the sum of the charges of its period': `
    select c.cap_id as id, 'counter ' || c.spent || ', charges ' || e.sum as detail
      from spend_counters c join spend_caps p on p.id = c.cap_id
      cross join lateral (
        select coalesce(sum(case when p.token_id is not null and b.package_id is not null then b.price[1] * b.multiplier else -b.amount - ${restSql('b')} end), 0) as sum
          from billings b
         where b.owner_id = p.owner_id and (p.token_id is null or b.token_id = p.token_id) and b.source > 0 and b.created_by is null
           and b.status = ${BILLING_STATUS_CODES.complete}
           and uuid_extract_timestamp(b.id) >= c.starts_at and uuid_extract_timestamp(b.id) < c.ends_at) e
     where c.spent <> e.sum`,
  'a package has the units that its messages have not taken': `
    select p.id, 'left ' || p.units_left || ' of ' || p.units || ', taken ' || coalesce(e.taken, 0) as detail
      from message_packages p
      left join (select package_id, sum(multiplier) as taken from billings
                  where package_id is not null and status = ${BILLING_STATUS_CODES.complete} group by package_id) e on e.package_id = p.id
     where p.units_left <> p.units - coalesce(e.taken, 0)`,
  'what a package covers is a message of its owner and costs nothing': `
    select b.id, 'package ' || b.package_id || ', amount ' || b.amount as detail
      from billings b left join message_packages p on p.id = b.package_id
     where b.package_id is not null and (p.owner_id = b.owner_id and b.amount = 0 and b.source > 0 and b.source = any(p.types)) is not true`,
  'a package that was paid has its entry': `
    select coalesce(p.id, b.id) as id, 'price ' || coalesce(p.price::text, 'none') || ', entry ' || coalesce(b.amount::text, 'none') as detail
      from (select * from message_packages where price > 0) p
      full join (select * from billings where origin = ${ORIGIN_CODES.package}) b on b.origin_id = p.id
     where (b.owner_id = p.payer_id and b.amount = -p.price and b.status = ${BILLING_STATUS_CODES.complete}) is not true`,
  'an account with packages is marked': `
    select p.id, 'owner ' || p.owner_id as detail from message_packages p join balances m on m.owner_id = p.owner_id where not m.has_packages`,
  'a volume of a tariff is what was billed in its month': `
    select coalesce(v.owner_id, e.owner_id) as id,
           'tariff ' || coalesce(v.tariff_id, e.tariff_id) || ', ' || coalesce(v.month, e.month) || ': volume ' || coalesce(v.units, 0) || ', charges ' || coalesce(e.units, 0) as detail
      from tariff_volumes v
      full join (select owner_id, tariff_id, date_trunc('month', uuid_extract_timestamp(id) at time zone 'UTC' + interval '3 hours')::date as month,
                        sum(multiplier) as units
                   from billings where volume_step is not null and status = ${BILLING_STATUS_CODES.complete}
                  group by 1, 2, 3) e on e.owner_id = v.owner_id and e.tariff_id = v.tariff_id and e.month = v.month
     where coalesce(v.units, 0) <> coalesce(e.units, 0)`,
  'what a volume step priced is a message that was paid, and its version has the step': `
    select b.id, 'step ' || b.volume_step || ', amount ' || b.amount as detail
      from billings b left join tariff_versions v on v.tariff_id = b.tariff_id and v.number = b.tariff_version
     where b.volume_step is not null
       and (b.amount < 0 and b.source > 0 and b.package_id is null and b.volume_step between 0 and jsonb_array_length(v.volume_steps)) is not true`,
  'an account with volumes is marked': `
    select v.owner_id as id, 'tariff ' || v.tariff_id as detail from tariff_volumes v join balances m on m.owner_id = v.owner_id where not m.has_volumes`,
  'a call that is charged by its length has its charge': `
    select c.sending_id as id, format('source %s, %s units for %s seconds', coalesce(b.source::text, 'none'), b.multiplier, c.estimated) as detail
      from call_charges c left join billings b on b.id = c.sending_id
     where (b.source = ${typeCode('voice')}
            and b.multiplier = ${secondsSql('c.estimated')}) is not true`,
  'a call costs what its length says, and at most its reserve': `
    select c.sending_id as id, format('%s seconds charged as %s of %s, %s less %s', c.seconds, c.units, b.multiplier, -b.amount, coalesce(r.amount, 0)) as detail
      from call_charges c join billings b on b.id = c.sending_id
      left join billings r on r.origin = ${ORIGIN_CODES.call} and r.origin_id = c.sending_id
     where c.settled_at is not null
       and (b.status = ${BILLING_STATUS_CODES.complete}
            and c.units = least(b.multiplier, ${secondsSql('c.seconds')})
            and -b.amount - coalesce(r.amount, 0) = case when c.units = 0 then 0 else b.price[1] + coalesce(b.price[2], 0) * c.units end
            and coalesce(r.owner_id, b.owner_id) = b.owner_id) is not true`,
  'what is given back of a call has its length': `
    select r.id, 'amount ' || r.amount as detail from billings r left join call_charges c on c.sending_id = r.origin_id
     where r.origin = ${ORIGIN_CODES.call}
       and (c.settled_at is not null and r.amount > 0 and r.status = ${BILLING_STATUS_CODES.complete}) is not true`,
  'an entry belongs to an account holder': `
    select b.id, 'owner ' || b.owner_id as detail from billings b
     where not exists (select 1 from users u where u.id = b.owner_id and u.owner_id = u.id)`,
};

/** An empty array means that the ledger is consistent. */
export const verifyLedger = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
