import type { Product } from './product.ts';

/** People of the lists' world besides those of the demo. All have the demo's password. */
export const LISTS_WORLD = {
  /** 1,000,000 sendings, all failed: whatever else is looked for is not there. */
  failing: 'bench-failing',
  /** 1,000,000 sendings, all delivered. */
  delivering: 'bench-delivering',
  contacts: 1_000_000,
};

/**
 * 5,000 slots of 1,000 sendings over the last 30 days, five owners' streams in turn: the demo's customer (a mixture of types and
 * ends, every tenth slot of singles in batches of their own), one whose all fail, one whose all arrive, 1,000 customers of
 * the demo's reseller, 500 without an account manager.
 */
const TABLES = `
create temp table slots as
  select k, k % 5 as stream, k / 5 as nth, floor(extract(epoch from now() - interval '30 days') * 1000 + k * 518400::bigint - 5000)::bigint as ms,
         k % 5 = 0 and (k / 5) % 10 = 9 as single
    from generate_series(1, 5000) k;
create temp table people as
  select n, uuidv7() as id, case when n <= 1000 then 'bench-customer-' || n else 'bench-other-' || n end as username,
         n <= 1000 as "isResellers" from generate_series(1, 1500) n
  union all values (0, uuidv7(), '${LISTS_WORLD.failing}', false), (-1, uuidv7(), '${LISTS_WORLD.delivering}', false);
insert into users (id, owner_id, username, password_hash, reseller_id, manager_id, data, is_verified, phone_confirmed_at, created_at)
  select p.id, p.id, p.username, c.password_hash, case when p."isResellers" then c.reseller_id end, case when p."isResellers" then c.manager_id end,
         jsonb_build_object('firstName', 'Имя' || p.n, 'lastName', 'Фамилия' || p.n, 'email', p.username || '@bench.example', 'phone', '+7903' || lpad(p.n::text, 7, '0')),
         true, now(), now() - p.n * interval '1 hour'
    from people p, users c where c.username = 'customer';
insert into balances (owner_id, balance) select id, greatest(n, 0) from people;

alter table slots add owner_id uuid, add task_id uuid, add batch_id bigint, add type smallint;
update slots s set
  owner_id = case stream when 0 then (select id from users where username = 'customer') when 1 then (select id from people where n = 0) when 2 then (select id from people where n = -1)
                when 3 then (select id from people where n = 1 + nth % 1000) else (select id from people where n = 1001 + nth % 500) end,
  type = case when stream <> 0 then 1 when single then 20 when nth % 100 = 98 then 5 when nth % 3 = 0 then 4 else 1 end,
  batch_id = nextval(pg_get_serial_sequence('batches', 'id'));
-- A task of a big owner holds ten slots.
update slots s set task_id = t.id
  from (select stream, owner_id, nth / case when stream < 3 then 10 else 1 end as nth, uuidv7() as id from slots group by 1, 2, 3) t
 where not s.single and t.stream = s.stream and t.owner_id = s.owner_id and t.nth = s.nth / case when s.stream < 3 then 10 else 1 end;
insert into tasks (id, owner_id, user_id, title, state, data, audience, is_expanded, created_at, started_at, finished_at)
  select task_id, owner_id, owner_id, 'Bench ' || min(k), case when stream = 0 and min(k) > 4950 then 'paused' else 'completed' end,
         jsonb_build_object('sending', jsonb_build_object('type', 'sms', 'groupId', task_id, 'payload', '{"sender": "MIRTEA", "text": "Hello"}'::jsonb, 'fallbacks', '[]'::jsonb, 'audioSeconds', '{}'::jsonb),
           'recipients', '{"include": {"lists": [], "recipients": []}, "exclude": {"lists": [], "recipients": []}}'::jsonb),
         '[]', true, to_timestamp(min(ms) / 1000.0), to_timestamp(min(ms) / 1000.0), to_timestamp(max(ms) / 1000.0)
    from slots where task_id is not null group by task_id, owner_id, stream;
insert into tasks (owner_id, user_id, title, state, data, audience, is_expanded, created_at)
  select owner_id, owner_id, 'Campaign ' || n, 'stopped', data, '[]', true, now() - n * interval '10 minutes'
    from (select * from tasks where owner_id = (select id from users where username = 'customer') order by id limit 1) t, generate_series(1, 20000) n;
insert into task_counters (task_id, total, completed) select id, 1000, 1000 from tasks on conflict do nothing;

create function pg_temp.id(ms bigint, seq int, n bigint) returns uuid language sql immutable as $f$
  select (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(seq), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid $f$;
-- The customer's newest slots are unfinished: not submitted and paused, being submitted, submitted.
insert into batches (id, task_id, owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at, created_at, updated_at)
  overriding system value
  select batch_id, task_id, owner_id, 'bench', type, 1,
         case when stream = 0 and k > 4950 then 0 when stream = 0 and k > 4900 then 3 else 3 end, 1000, pg_temp.id(ms, 0, 0), pg_temp.id(ms, 4095, 0),
         to_timestamp(ms / 1000.0) + interval '20 years', to_timestamp(ms / 1000.0), case when stream = 0 and k > 4900 then null else to_timestamp(ms / 1000.0) end,
         to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
    from slots where not single;
create temp table singles as
  select s.k, seq, s.ms + seq * 400 as ms, s.owner_id, nextval(pg_get_serial_sequence('batches', 'id')) as batch_id from slots s, generate_series(1, 1000) seq where s.single;
insert into batches (id, owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at, created_at, updated_at)
  overriding system value
  select batch_id, owner_id, 'bench', 1, 0, 3, 1, pg_temp.id(ms, 0, seq), pg_temp.id(ms, 0, seq), at, at, at, at, at from singles, to_timestamp(ms / 1000.0) at;
`;

const SENDINGS = `
insert into sendings (id, owner_id, group_id, batch_id, type, segments, status, outcome, amount, sender, mccmnc, phone, body, error, delivered_at, seen_at, failed_at)
  select pg_temp.id(s.ms, seq, s.k * 1000 + seq), s.owner_id, s.task_id, s.batch_id, s.type, 1,
         case when isOpen then null when s.stream = 1 then 5 when s.stream = 2 then 3 when seq % 20 = 0 then 5 when s.type = 4 and seq % 2 = 0 then 4 else 3 end, case when isOpen then null when s.stream = 1 or (s.stream <> 2 and seq % 20 = 0) then 2 else 1 end,
         case when s.stream in (0, 1) then 2.1 else 0 end, 'MIRTEA', '', '+79' || lpad(((s.k::bigint * 1000 + seq) * 7919 % 1000000000)::text, 9, '0'), 'Hello Name' || seq || ', your order is ready',
         case when s.stream = 1 or (s.stream <> 2 and seq % 20 = 0 and not isOpen) then 'absent_subscriber' end,
         case when not isOpen and s.stream <> 1 and (s.stream = 2 or seq % 20 <> 0) then at end,
         case when not isOpen and s.stream = 0 and seq % 20 <> 0 and s.type = 4 and seq % 2 = 0 then at end,
         case when not isOpen and (s.stream = 1 or (s.stream <> 2 and seq % 20 = 0)) then at end
    from slots s, generate_series(1, 1000) seq, to_timestamp(s.ms / 1000.0) at, lateral (select s.stream = 0 and s.k > 4900 as isOpen) o
   where not s.single
  union all
  select pg_temp.id(ms, 0, seq), owner_id, null, batch_id, case when seq = 500 then 20 else 1 end, 1, case when seq % 20 = 0 then 5 else 3 end, case when seq % 20 = 0 then 2 else 1 end, 2.1, 'MIRTEA', '',
         '+79' || lpad(((k::bigint * 1000 + seq) * 7919 % 1000000000)::text, 9, '0'), 'Your code is ' || seq, case when seq % 20 = 0 then 'absent_subscriber' end,
         case when seq % 20 <> 0 then to_timestamp(ms / 1000.0) end, null, case when seq % 20 = 0 then to_timestamp(ms / 1000.0) end
    from singles
   order by 1;
insert into billings (id, owner_id, source, status, amount, price, refunded_at)
  select id, owner_id, type, case when failed_at is null then 1 else 2 end, -amount, '{2.1}', failed_at from sendings where amount > 0 order by id on conflict do nothing;
`;

const AUDIENCE = `
insert into contact_lists (owner_id, title, count, created_at)
  select id, case n when 1 then 'Bench' else 'List ' || n end, case n when 1 then ${LISTS_WORLD.contacts} else 0 end, now() - n * interval '1 hour' from users, generate_series(1, 300) n where username = 'customer';
insert into contacts (list_id, phone, email, first_name, last_name, tags)
  select l.id, '+79' || lpad((n::bigint * 7919 % 1000000000)::text, 9, '0'), case when n % 3 = 0 then 'person' || n || '@mail.example' end, (array['Анна','Борис','Вера','Глеб','Дарья'])[1 + n % 5], (array['Иванов','Петров','Сидоров','Кузнецов'])[1 + n % 4] || n % 5000,
         array_remove(array[case when n % 10 = 0 then 'regular' end, case when n % 50000 = 0 then 'vip' end], null)
    from contact_lists l, generate_series(1, ${LISTS_WORLD.contacts}) n where l.title = 'Bench';
-- The messages of the customer went to some of them.
insert into segments (owner_id, title, "where", activity)
  select id, s.title, s.filter::jsonb, s.activity::jsonb from users, (values
    ('All', '{}', '[]'), ('Tag of many', '{"tag": "regular"}', '[]'), ('Tag of few', '{"tag": "vip"}', '[]'), ('Name', '{"lastName": "Иванов17"}', '[]'),
    ('Reached', '{}', '[{"event": "delivered", "happened": true, "days": 30}]'), ('Not reached', '{}', '[{"event": "delivered", "happened": false, "days": 30}]'),
    ('Few reached', '{"tag": "vip"}', '[{"event": "delivered", "happened": true, "days": 30}]'), ('Answered', '{}', '[{"event": "replied", "happened": true, "days": 30}]')
  ) s (title, filter, activity) where username = 'customer';
insert into templates (owner_id, title, type, payload, created_at)
  select id, 'Template ' || n, case when n % 2 = 0 then 'sms' else 'viber' end, jsonb_build_object('text', 'Hello {firstName}, offer ' || n), now() - n * interval '1 hour' from users, generate_series(1, 1000) n where username = 'customer';
insert into sendings_incoming (id, owner_id, type, "from", "to", payload)
  select uuidv7(n * interval '-2 seconds'), case when n % 2 = 0 then c.id else d.id end, 1, '+79' || lpad((n::bigint * 7919 % 1000000000)::text, 9, '0'), 'MIRTEA', jsonb_build_object('text', 'Answer ' || n)
    from users c, users d, generate_series(1, 1000000) n where c.username = 'customer' and d.username = '${LISTS_WORLD.delivering}';
`;

/** Indexes that only make reading quick are made after the rows. */
const POSTPONED = `select schemaname || '.' || indexname as name, indexdef as sql from pg_indexes
  where tablename in ('sendings', 'billings', 'contacts', 'sendings_incoming') and indexname not like '%pkey'`;

/** Fills the product's database in a minute or two, by set-based SQL, and leaves it vacuumed as autovacuum would. */
export async function listsWorld({ db }: Pick<Product, 'db'>): Promise<void> {
  const { rows: indexes } = await db.query<{ name: string; sql: string }>(POSTPONED);
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  const client = await db.connect();
  try {
    await client.query(TABLES);
    await Promise.all([client.query(SENDINGS), db.query(AUDIENCE)]);
  } finally {
    client.release(true);
  }
  const left = [...indexes];
  const build = async () => {
    const own = await db.connect();
    await own.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`);
    for (let next = left.shift(); next; next = left.shift()) await own.query(next.sql);
    own.release(true);
  };
  await Promise.all([build(), build()]);
  await Promise.all(
    [
      'vacuum analyze sendings',
      'vacuum analyze billings; vacuum analyze contacts; vacuum analyze batches',
      'vacuum analyze tasks; vacuum analyze users; vacuum analyze templates; vacuum analyze sendings_incoming',
    ].flatMap((all) => all.split('; ').map((sql) => db.query(sql))),
  );
}
