type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

interface DemoToken {
  description: string;
  prefix: string;
  ipWhitelist: string[];
  permissions: string[] | null;
  /** Days ago; null for a token that was not used yet. */
  used: number | null;
  /** Days ahead; null for none. */
  expires: number | null;
}

const TOKENS: DemoToken[] = [
  {
    description: 'Интернет-магазин',
    prefix: 'hg_shop7k2m9qx4',
    ipWhitelist: [],
    permissions: ['sendings.get', 'sendings.generate', 'templates.get'],
    used: 0.1,
    expires: 200,
  },
  {
    description: 'CRM',
    prefix: 'hg_crmtea8w4d3f',
    ipWhitelist: ['203.0.113.10', '2001:db8:40::/48'],
    permissions: null,
    used: 2,
    expires: null,
  },
  {
    description: 'Выгрузка отчётов',
    prefix: 'hg_rep5h9zt2vxb',
    ipWhitelist: [],
    permissions: ['sendings.get', 'billings.find'],
    used: null,
    expires: 5,
  },
];

/** Tokens of an account. Nobody knows their secrets: the hashes are of random bytes. */
export async function seedTokens(query: Query, OwnerId: string): Promise<void> {
  await query(
    `insert into tokens (owner_id, user_id, description, prefix, hash, ip_whitelist, permissions, expired_at, last_used_at, last_used_ip, created_at)
     select $1, $1, t.description, t.prefix, sha256(uuid_send(gen_random_uuid())), t."ipWhitelist", t.permissions,
            now() + make_interval(secs => t.expires * 86400), now() - make_interval(secs => t.used * 86400),
            case when t.used is not null then coalesce(t."ipWhitelist"[1], '203.0.113.25') end, now() - interval '25 days'
       from jsonb_to_recordset($2::jsonb)
         as t(description text, prefix text, "ipWhitelist" text[], permissions text[], used float8, expires float8)`,
    [OwnerId, JSON.stringify(TOKENS)],
  );
}
