/** The number of the version of the tariff `t` that is in force. */
export const IN_FORCE = `(select v.number from tariff_versions v where v.tariff_id = t.id and v.starts_at <= now()
                    order by v.starts_at desc, v.number desc limit 1)`;

/** The rules of a version in order of precedence. */
export const rulesOf = (tariffId: string, version: string) =>
  `coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'action', r.action, 'price', r.price,
                                                 'conditions', r.conditions, 'priority', r.priority)
                              || case when r.by_length is null then '{}' else jsonb_build_object('byLength', r.by_length) end
                              order by r.priority desc, r.id desc)
               from tariff_rules r where r.tariff_id = ${tariffId} and r.version = ${version}), '[]')`;

/** The volume steps of a version. */
export const stepsOf = (tariffId: string, version: string) =>
  `(select s.volume_steps from tariff_versions s where s.tariff_id = ${tariffId} and s.number = ${version})`;

/**
 * A tariff of a reseller is for its customers in its own currency: of an account that has moved elsewhere it prices nothing.
 * `currency` is that of accounts without one.
 */
export const isOfAccount = (currency: string) => `(t.reseller_id is null or exists (
    select 1 from users u join users r on r.id = u.reseller_id
     where u.id = ut.owner_id and r.id = t.reseller_id
       and coalesce(u.settings #>> '{billings,currency}', ${currency}) = coalesce(r.settings #>> '{billings,currency}', ${currency})))`;

/** The accounts, as `owner_id`, that have the first tariff and could have the other one, if there is one, in its place. */
export const holdersSql = (first: string, other: string, currency: string) =>
  `select ut.owner_id from users_tariffs ut join tariffs t on t.id = ut.tariff_id
    where ut.tariff_id = ${first} and ${isOfAccount(currency)}
      and (${other}::uuid is null or exists (select 1 from tariffs t where t.id = ${other} and ${isOfAccount(currency)}))`;
