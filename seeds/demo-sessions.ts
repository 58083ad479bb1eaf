type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const DAY = 24;

/** Sign-ins of a customer: hours ago, and of those that are still open when they were last used. */
const SIGN_INS = [
  {
    hoursAgo: 2,
    usedHoursAgo: 0.2,
    ip: '203.0.113.24',
    useragent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    place: { country: 'Russia', continent: 'Europe', city: 'Moscow', isoCode: 'RU' },
  },
  {
    hoursAgo: 5,
    usedHoursAgo: 1,
    ip: '198.51.100.7',
    useragent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    place: { country: 'Russia', continent: 'Europe', city: 'Kazan', isoCode: 'RU' },
  },
  {
    hoursAgo: 3 * DAY,
    usedHoursAgo: 20,
    ip: '192.0.2.61',
    useragent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    place: { country: 'Kazakhstan', continent: 'Asia', city: 'Almaty', isoCode: 'KZ' },
  },
  {
    hoursAgo: 9 * DAY,
    usedHoursAgo: null,
    ip: '203.0.113.24',
    useragent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    place: { country: 'Russia', continent: 'Europe', city: 'Moscow', isoCode: 'RU' },
  },
];

/** Visits of a customer from several places, who has consented to that they are stored, and sessions that are still open. */
export async function seedSessions(query: Query, owner: string): Promise<void> {
  await query(
    `insert into location_consents (user_id, is_allowed, decided_at, located_at)
     values ($1, true, now() - interval '30 days', now() - interval '2 hours')`,
    [owner],
  );
  await query(
    `with sign_ins as (
       select *, uuidv7(make_interval(secs => -3600 * "hoursAgo")) as visit_id,
              now() - make_interval(secs => 3600 * "hoursAgo") as signed_in_at
         from jsonb_to_recordset($2::jsonb)
           as s("hoursAgo" float, "usedHoursAgo" float, ip text, useragent text, place jsonb)),
     stored as (
       insert into visits (id, user_id, owner_id, ip, action, useragent, data)
       select visit_id, $1, $1, ip, 'login', useragent, place || '{"url": "/login"}' from sign_ins)
     insert into sessions (user_id, ip, useragent, visit_id, signed_in_at, created_at, last_used_at, expires_at)
     select $1, ip, useragent, visit_id, signed_in_at, signed_in_at,
            now() - make_interval(secs => 3600 * "usedHoursAgo"), now() + interval '20 days'
       from sign_ins where "usedHoursAgo" is not null`,
    [owner, JSON.stringify(SIGN_INS)],
  );
}
