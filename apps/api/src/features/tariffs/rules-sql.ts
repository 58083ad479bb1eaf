/** The number of the version of the tariff `t` that is in force. */
export const IN_FORCE = `(select v.number from tariff_versions v where v.tariff_id = t.id and v.starts_at <= now()
                    order by v.starts_at desc, v.number desc limit 1)`;

/** The rules of a version in order of precedence. */
export const rulesOf = (tariffId: string, version: string) =>
  `coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'action', r.action, 'price', r.price,
                                                 'conditions', r.conditions, 'priority', r.priority)
                              order by r.priority desc, r.id desc)
               from tariff_rules r where r.tariff_id = ${tariffId} and r.version = ${version}), '[]')`;
