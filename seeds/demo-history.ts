import { BULKS, STREAMS, TYPES } from './demo-traffic.ts';

type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** Somebody who gets messages. */
export interface DemoPerson {
  /** Whose audience: a name of an account, or `guests` of all of them. */
  audience: string;
  n: number;
  phone: string;
  email: string | null;
  /** Network code; '' if it is not known. */
  mccmnc: string;
}

/** What a message costs, by type, sender name and network. */
export interface DemoPrice {
  type: number;
  sender: string;
  mccmnc: string;
  price: string;
}

export interface HistoryOptions {
  /** Ids of accounts by their names. */
  owners: Record<string, string>;
  /** Contact lists that bulks are sent to, by the audience's name. */
  lists: Record<string, string>;
  people: DemoPerson[];
  prices: DemoPrice[];
}

const ZONE = 'Europe/Moscow';
const HISTORY_DAYS = 59;

/** A number from 0 to 1 that a key always gives, an id of version 7 that a time and a key give, and what is made before it is stored. */
const TEMPORARY = [
  `create or replace function pg_temp.chance(key text) returns float8 immutable language sql as
     $f$ select ('x' || substr(md5(key), 1, 8))::bit(32)::bigint / 4294967296.0 $f$`,
  `create or replace function pg_temp.id_at(at timestamptz, key text) returns uuid immutable language sql as
     $f$ select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(key), 1, 3) || '8' || substr(md5(key), 4, 15))::uuid $f$`,
  `create temp table demo_people (audience text, n int, phone text, email text, mccmnc text) on commit drop`,
  `create temp table demo_prices (type smallint, sender text, mccmnc text, price numeric) on commit drop`,
  `create temp table demo_bulks (n int, owner_id uuid, task_id uuid, title text, audience text, list_id uuid, type smallint, sender text, text text, fallback text, data jsonb,
     share float8, stopped_after int, clicked float8, at timestamptz) on commit drop`,
  `create temp table demo_messages (key text, id uuid, owner_id uuid, task_id uuid, chain_id uuid, batch text, batch_id bigint, type smallint, attempt smallint, is_last boolean,
     sender text, phone text, mccmnc text, body text, token_id uuid, at timestamptz, submitted_at timestamptz, status smallint, outcome smallint, error text,
     delivered_at timestamptz, seen_at timestamptz, failed_at timestamptz) on commit drop`,
];

/**
 * What becomes of a message `m` with a key, type, network, and time of its submit. A quarter of the people have no messenger;
 * of the last two weeks one network loses many messages.
 */
const FATE = `
  cross join lateral (
    select pg_temp.chance(m.key || 'end') as luck, pg_temp.chance(m.key || 'why') as why, pg_temp.chance(m.key || 'wait') as wait, pg_temp.chance(m.phone || 'reads') as reads) c
  cross join lateral (
    select case when m.type = ${TYPES.viber} and pg_temp.chance(m.phone || 'user') < 0.24 then 'not_a_user'
                when m.type = ${TYPES.sms} and m.mccmnc = '25002' and m.at > now() - interval '14 days' and c.luck < 0.19 then case when c.why < 0.8 then 'no_route' else 'expired' end
                when m.type = ${TYPES.email} and c.luck < 0.02 then case when c.why < 0.7 then 'invalid_recipient' else 'blocked' end
                when m.type in (${TYPES.flashcall}, ${TYPES.telegramcode}) and c.luck < 0.09 then case when c.why < 0.5 then 'no_answer' when c.why < 0.8 then 'absent_subscriber' else 'not_a_user' end
                when m.type not in (${TYPES.email}, ${TYPES.flashcall}, ${TYPES.telegramcode}) and c.luck < 0.045 then
                  case when c.why < 0.5 then 'absent_subscriber' when c.why < 0.65 then 'number_not_found' when c.why < 0.78 then 'memory_full'
                       when c.why < 0.88 then 'blocked' when c.why < 0.95 then 'expired' else 'content_rejected' end end as error) e
  cross join lateral (
    select m.submitted_at + make_interval(secs => 1.5 - ln(1 - c.wait) * case when c.luck > 0.93 then 420 when m.type = ${TYPES.sms} then 7 else 3 end) as at) reached
  cross join lateral (
    select e.error is null and m.type in (${TYPES.viber}, ${TYPES.whatsapp}) and c.reads < 0.68 as is_seen,
           reached.at + make_interval(secs => 20 - ln(1 - c.why) * 2400) as seen_at) s`;

const FATE_COLUMNS = `
  case when e.error is not null then 5 when s.is_seen and s.seen_at < now() then 4 else 3 end as status, e.error,
  case when e.error is null then reached.at end as delivered_at,
  case when e.error is null and s.is_seen and s.seen_at < now() then s.seen_at end as seen_at,
  case when e.error is not null then case when e.error = 'expired' then m.submitted_at + case when m.type = ${TYPES.viber} then interval '10 minutes' else interval '4 hours' end else reached.at end end as failed_at`;

/** Two months of messages of the demo accounts: bulks, single messages, failures, replies, clicks and charges, up to some minutes ago. */
export async function seedHistory(query: Query, options: HistoryOptions): Promise<void> {
  for (const sql of TEMPORARY) await query(sql);
  await query(
    `insert into demo_people select * from jsonb_to_recordset($1::jsonb) as p(audience text, n int, phone text, email text, mccmnc text)`,
    [JSON.stringify(options.people)],
  );
  await query(
    `insert into demo_prices select * from jsonb_to_recordset($1::jsonb) as p(type smallint, sender text, mccmnc text, price numeric)`,
    [JSON.stringify(options.prices)],
  );
  await query(`analyze demo_people, demo_prices`);
  await insertTasks(query, options);
  await query(BULK_FIRST);
  await query(BULK_FALLBACK);
  await query(SINGLES, [streams(options)]);
  // Nothing is known of the future.
  await query(`delete from demo_messages where coalesce(failed_at, delivered_at) >= now()`);
  await query(`analyze demo_messages`);
  for (const sql of [...STORED, ...ANSWERS]) await query(sql);
}

const streams = ({ owners, people }: HistoryOptions) =>
  JSON.stringify(
    STREAMS.map((stream, n) => ({
      ...stream,
      n,
      owner: owners[stream.owner],
      people: people.filter(({ audience }) => audience === stream.audience).length,
      type: TYPES[stream.type],
    })),
  );

async function insertTasks(query: Query, { owners, lists }: HistoryOptions): Promise<void> {
  const rows = BULKS.map((bulk, n) => ({
    ...bulk,
    n,
    owner: owners[bulk.owner],
    list: lists[bulk.audience],
    code: TYPES[bulk.type],
    data: {
      sending: {
        type: bulk.type,
        payload: { sender: bulk.sender, text: bulk.text },
        fallbacks: bulk.fallback
          ? [
              {
                type: 'sms',
                payload: { sender: bulk.sender, text: bulk.fallback },
                options: {
                  onStatus: ['failed'],
                  onTimeout: { timeout: 600, except: ['delivered', 'seen'] },
                  onIncomingPayload: null,
                },
              },
            ]
          : [],
        audioSeconds: {},
      },
      recipients: {
        include: { lists: [lists[bulk.audience]], recipients: [] },
        exclude: { lists: [], recipients: [] },
      },
    },
  }));
  await query(
    `insert into demo_bulks
     select b.n, b.owner, pg_temp.id_at(t.at, 'bulk' || b.n), b.title, b.audience, b.list, b.code, b.sender, b.text, b.fallback,
            jsonb_set(b.data, '{sending,groupId}', to_jsonb(pg_temp.id_at(t.at, 'bulk' || b.n))), coalesce(b.share, 1), b."stoppedAfter", coalesce(b.clicked, 0), t.at
       from jsonb_to_recordset($1::jsonb) as b(n int, owner uuid, title text, audience text, list uuid, code smallint, sender text, text text, fallback text, data jsonb,
              share float8, "stoppedAfter" int, clicked float8, weeks int, weekday int, hour float8)
      cross join lateral (
        -- The first week is the last one that is over; of yesterday where no week is given.
        select (case when b.weeks is null then date_trunc('day', now() at time zone '${ZONE}') - interval '1 day'
                     else date_trunc('week', now() at time zone '${ZONE}') - make_interval(weeks => b.weeks, days => 1 - b.weekday) end
                + make_interval(secs => b.hour * 3600)) at time zone '${ZONE}' as at) t`,
    [JSON.stringify(rows)],
  );
}

/** First attempts of bulks: all people of the audience or a share of them. */
const BULK_FIRST = `
  with m as (
    select b.n || 'b' || p.n as key, pg_temp.id_at(b.at + make_interval(secs => 1 + p.n * 0.001), b.n || 'b' || p.n) as id, b.*, p.phone, p.email, p.mccmnc,
           b.at + make_interval(secs => 2 + p.n / 100) as submitted_at, p.n >= b.stopped_after as is_stopped
      from demo_bulks b join demo_people p on p.audience = b.audience and pg_temp.chance(b.n || 'takes' || p.n) <= b.share and (b.type <> ${TYPES.email} or p.email is not null))
  insert into demo_messages (key, id, owner_id, task_id, batch, type, attempt, is_last, sender, phone, mccmnc, body, at, submitted_at, status, error, delivered_at, seen_at, failed_at)
  select m.key, m.id, m.owner_id, m.task_id, 'bulk' || m.n || ' ' || coalesce(is_stopped, false), m.type, 0, m.fallback is null, m.sender,
         case when m.type = ${TYPES.email} then m.email else m.phone end, case when m.type = ${TYPES.email} then '' else m.mccmnc end, m.text,
         m.at, case when is_stopped then null else m.at + interval '2 seconds' end, f.*
    from m cross join lateral (
      select case when m.is_stopped then 5 else x.status end, case when m.is_stopped then 'stopped' else x.error end, case when not coalesce(m.is_stopped, false) then x.delivered_at end,
             case when not coalesce(m.is_stopped, false) then x.seen_at end, case when m.is_stopped then m.at + interval '20 seconds' else x.failed_at end
        from (select ${FATE_COLUMNS} from (select 1) one ${FATE}) x) f`;

/** Who was not reached by the first attempt gets the next one. */
const BULK_FALLBACK = `
  with m as (
    select b.n || 'f' || f.key as key, f.id as chain_id, f.owner_id, f.task_id, b.n, f.phone, f.mccmnc, f.sender, ${TYPES.sms}::smallint as type, b.fallback,
           f.failed_at + interval '1 second' as at, f.failed_at + interval '3 seconds' as submitted_at
      from demo_messages f join demo_bulks b on b.task_id = f.task_id where f.status = 5 and f.error <> 'stopped' and b.fallback is not null)
  insert into demo_messages (key, id, owner_id, task_id, chain_id, batch, type, attempt, is_last, sender, phone, mccmnc, body, at, submitted_at, status, error, delivered_at, seen_at, failed_at)
  select m.key, pg_temp.id_at(m.at, m.key), m.owner_id, m.task_id, m.chain_id, 'fallback' || m.n || ' ' || date_trunc('minute', m.at), m.type, 1, true, m.sender, m.phone, m.mccmnc, m.fallback,
         m.at, m.submitted_at, ${FATE_COLUMNS}
    from m ${FATE}`;

/** Single messages: more of them on some weekdays and in the hours in which people order, and a little more each week. */
const SINGLES = `
  with days as (
    select d, date_trunc('day', now() at time zone '${ZONE}') - make_interval(days => d) as day from generate_series(0, ${HISTORY_DAYS}) d),
  calls as materialized (
    select s.n || 's' || d.d || ' ' || i as key, s.owner as owner_id, s.type, s.sender, s.text, s.token, s.audience, at,
           floor(pg_temp.chance(s.n || 'who' || d.d || ' ' || i) * s.people)::int as person
      from jsonb_to_recordset($1::jsonb) as s(n int, owner uuid, type smallint, sender text, text text, audience text, people int, "perDay" int, growth float8, hours int[], weekdays float8[], token text)
     cross join days d
     cross join lateral generate_series(1, round(s."perDay" * s.weekdays[extract(isodow from d.day)::int] * (1 - s.growth * d.d / ${HISTORY_DAYS}) * (0.85 + 0.3 * pg_temp.chance(s.n || 'day' || d.d)))::int) i
     cross join lateral (
       select (d.day + make_interval(hours => s.hours[1 + floor(pg_temp.chance(s.n || 'hour' || d.d || ' ' || i) * cardinality(s.hours))::int],
                 secs => floor(pg_temp.chance(s.n || 'second' || d.d || ' ' || i) * 3600000) / 1000)) at time zone '${ZONE}' as at) a
     where at < now() - interval '10 minutes'),
  m as (
    select c.*, t.id as token_id, p.phone, p.email, p.mccmnc, at + interval '1 second' as submitted_at
      from calls c join demo_people p on p.audience = c.audience and p.n = c.person
      left join tokens t on t.owner_id = c.owner_id and t.description = c.token)
  insert into demo_messages (key, id, owner_id, batch, type, attempt, is_last, sender, phone, mccmnc, body, token_id, at, submitted_at, status, error, delivered_at, seen_at, failed_at)
  select m.key, pg_temp.id_at(m.at, m.key), m.owner_id, m.key, m.type, 0, true, m.sender, case when m.type = ${TYPES.email} then coalesce(m.email, 'guest' || right(m.phone, 4) || '@mail.example') else m.phone end,
         case when m.type = ${TYPES.email} then '' else m.mccmnc end, replace(m.text, '{n}', (1000 + abs(hashtext(m.key)) % 9000)::text), m.token_id, m.at, m.submitted_at, ${FATE_COLUMNS}
    from m ${FATE}`;

const CHARGED = `
  select m.*, case when m.status = 5 then 2 else 1 end as entry_status, p.price
    from demo_messages m join demo_prices p on p.type = m.type and p.sender = m.sender and p.mccmnc = m.mccmnc`;

const STORED = [
  // A chain is reached by any of its attempts.
  `update demo_messages f set outcome = case when f.error = 'stopped' then 3
            when f.status < 5 or f.id in (select chain_id from demo_messages where chain_id is not null and status < 5) then 1 else 2 end
     where f.chain_id is null`,
  `insert into tasks (id, owner_id, user_id, title, state, data, audience, expected, position, is_expanded, created_at, started_at, finished_at, updated_at)
   select b.task_id, b.owner_id, b.owner_id, b.title, case when b.stopped_after is null then 'completed' else 'stopped' end, b.data, jsonb_build_array(jsonb_build_object('list', b.list_id)),
          c.total, c.total, true, b.at, b.at, c.finished_at, c.finished_at
     from demo_bulks b
     join (select task_id, count(*) filter (where attempt = 0) as total, max(coalesce(seen_at, delivered_at, failed_at)) as finished_at from demo_messages group by task_id) c on c.task_id = b.task_id`,
  `insert into task_counters (task_id, total, completed, errored, cancelled, amount)
   select m.task_id, count(*) filter (where attempt = 0), count(*) filter (where outcome = 1), count(*) filter (where outcome = 2), count(*) filter (where outcome = 3), sum(p.price)
     from demo_messages m join demo_prices p on p.type = m.type and p.sender = m.sender and p.mccmnc = m.mccmnc where m.task_id is not null group by m.task_id`,
  `with stored as (
     insert into batches (task_id, owner_id, channel, type, attempt, priority, stage, size, segments, first_id, last_id, due_at, submitted_at, closed_at, created_at, updated_at, is_announced)
     select (array_agg(task_id))[1], (array_agg(owner_id))[1], 'simulator', min(type), min(attempt), case when count(task_id) > 0 then 1 else 0 end,
            case when bool_or(submitted_at is null) then 5 else 3 end, count(*), count(*), min(id::text)::uuid, max(id::text)::uuid, min(at), min(submitted_at),
            max(coalesce(seen_at, delivered_at, failed_at)), min(at), max(coalesce(seen_at, delivered_at, failed_at)), true
       from demo_messages group by batch order by min(at)
     returning id, first_id),
   named as (select s.id, m.batch from stored s join demo_messages m on m.id = s.first_id)
   update demo_messages m set batch_id = n.id from named n where n.batch = m.batch`,
  // Triggers of the messages join them: without figures of the rows it has now, in nested loops.
  `analyze batches`,
  `insert into sendings (id, owner_id, group_id, chain_id, batch_id, type, attempt, is_last, segments, status, outcome, amount, sender, phone, mccmnc, body, error, token_id,
                         sent_at, delivered_at, seen_at, failed_at)
   select m.id, m.owner_id, m.task_id, m.chain_id, m.batch_id, m.type, m.attempt, m.is_last, 1, m.status, m.outcome, p.price, m.sender, m.phone, m.mccmnc, m.body, m.error, m.token_id,
          m.submitted_at, m.delivered_at, m.seen_at, m.failed_at
     from demo_messages m join demo_prices p on p.type = m.type and p.sender = m.sender and p.mccmnc = m.mccmnc order by m.id`,
  // What the carrier took, by the price lists of the demo world. All numbers are Russian ones.
  `insert into message_costs (batch_id, owner_id, channel, type, mccmnc, submitted_at, messages, amount, units, price, currency)
   select m.batch_id, m.owner_id, 'simulator', m.type, nullif(m.mccmnc, ''), m.at, m.messages, m.amount, m.messages, c.price, c.currency
     from (select m.batch_id, m.owner_id, m.type, m.mccmnc, min(m.submitted_at) as at, count(*) as messages, sum(p.price) as amount
             from demo_messages m join demo_prices p on p.type = m.type and p.sender = m.sender and p.mccmnc = m.mccmnc
            where m.submitted_at is not null group by 1, 2, 3, 4) m
     left join lateral (
       select p.price, l.currency
         from (select id, currency from price_lists where channel = 'simulator' and valid_from <= m.at order by valid_from desc limit 1) l
         join purchase_prices p on p.list_id = l.id
        where p.type = m.type and p.destination in (m.mccmnc, case when m.mccmnc <> '' then 'RU' end, '*')
        order by length(p.destination) desc limit 1) c on true
    order by m.at`,
  `insert into billings (id, owner_id, source, status, amount, price, tariff_id, tariff_version, token_id, refunded_at)
   select m.id, m.owner_id, m.type, m.entry_status, -m.price, array[m.price], t.id, 1, m.token_id, m.failed_at
     from (${CHARGED}) m cross join (select id from tariffs where is_default) t order by m.id`,
  `update balances b set balance = b.balance - c.charged
     from (select owner_id, sum(price) as charged from (${CHARGED}) m where entry_status = 1 group by owner_id) c where c.owner_id = b.owner_id`,
];

const REPLIES = `array['Спасибо!', 'Да', 'Беру, отложите', 'А доставка есть?', 'До какого числа?', 'Приду в субботу', 'Нет, спасибо', 'Подскажите адрес', '👍', 'Когда будет улун?']`;

/** Replies, the conversations that they belong to, opt-outs and clicks. */
const ANSWERS = [
  `create temp table demo_replies on commit drop as
   select pg_temp.id_at(a.at, m.key || 'reply') as id, m.owner_id, m.type, m.phone, m.sender, m.id as sending_id, is_stop,
          case when is_stop then 'СТОП' else (${REPLIES})[1 + floor(pg_temp.chance(m.key || 'words') * 10)::int] end as text
     from demo_messages m
    cross join lateral (select m.delivered_at + make_interval(secs => 60 - ln(1 - pg_temp.chance(m.key || 'answers')) * 3000) as at,
                               m.task_id is null and pg_temp.chance(m.key || 'stops') < 0.1 as is_stop) a
    where m.status < 5 and m.type in (${TYPES.sms}, ${TYPES.viber}, ${TYPES.whatsapp}) and a.at < now()
      and pg_temp.chance(m.key || 'replies') < case when m.task_id is null then 0.012 else 0.028 end
      and not exists (select 1 from conversations c where c.owner_id = m.owner_id and c.address = m.phone)`,
  `insert into sendings_incoming (id, owner_id, type, "from", "to", payload, sending_id, channel)
   select id, owner_id, type, phone, sender, jsonb_build_object('text', text), sending_id, 'simulator' from demo_replies order by id`,
  `insert into conversations (id, owner_id, address, state, unread, last_id, is_last_incoming, type, sender)
   select distinct on (owner_id, phone) id, owner_id, phone, 'closed', 0, id, true, type, sender from demo_replies order by owner_id, phone, id desc`,
  `insert into suppressions (id, owner_id, address, reason, note, sending_id)
   select distinct on (owner_id, phone) id, owner_id, phone, 'stop', text, sending_id from demo_replies where is_stop order by owner_id, phone, id on conflict do nothing`,
  `create temp table demo_clicks on commit drop as
   select b.n, b.owner_id, b.at as sent_at, c.at from demo_bulks b join demo_messages m on m.task_id = b.task_id and m.status < 5
    cross join lateral (select m.delivered_at + make_interval(secs => 15 - ln(1 - pg_temp.chance(m.key || 'follows')) * 14400) as at) c
    where pg_temp.chance(m.key || 'clicks') < b.clicked and c.at < now()`,
  `insert into links (id, owner_id, url, code, clicks, clicked_at, created_at)
   select pg_temp.id_at(sent_at - interval '1 hour', 'link' || n), owner_id, 'https://mirtea.example/offers/' || n, 'tea' || lpad(n::text, 4, '0'), count(*), max(at), sent_at - interval '1 hour'
     from demo_clicks group by n, owner_id, sent_at`,
  `insert into rollup_changes (owner_id, at, type, mccmnc, sender, clicks)
   select owner_id, quarter_of(at), 0, '', '', count(*) from demo_clicks group by 1, 2`,
];
