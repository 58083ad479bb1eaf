type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

interface DemoInstance {
  id: string;
  state: 'authorized' | 'notAuthorized' | 'sleep' | 'deleted';
  phone: string | null;
  /** Days since its beginning; it is paid for a month. */
  days: number;
  isCanceled?: boolean;
}

const PHONE = '79990000021';
/** In every state, with auto-renewal off where it would charge the account at once. */
const INSTANCES: DemoInstance[] = [
  {
    id: '01930000-0000-7000-8000-000000000501',
    state: 'authorized',
    phone: PHONE,
    days: 9,
  },
  { id: '01930000-0000-7000-8000-000000000502', state: 'notAuthorized', phone: null, days: 2 },
  {
    id: '01930000-0000-7000-8000-000000000503',
    state: 'sleep',
    phone: '79990000022',
    days: 20,
    isCanceled: true,
  },
  {
    id: '01930000-0000-7000-8000-000000000504',
    state: 'authorized',
    phone: '79990000023',
    days: 33,
    isCanceled: true,
  },
  {
    id: '01930000-0000-7000-8000-000000000505',
    state: 'deleted',
    phone: '79990000024',
    days: 70,
    isCanceled: true,
  },
];
/** Names of the gateway for the states of its phones. */
const PHONE_STATES = {
  authorized: 'authorized',
  notAuthorized: 'notAuthorized',
  sleep: 'sleepMode',
} as const;

interface Message {
  /** Hours ago. */
  hours: number;
  isIncoming: boolean;
  phone: string;
  text: string;
}

const MESSAGES: Message[] = [
  { hours: 50, isIncoming: false, phone: '79990000001', text: 'Ваш заказ собран и ждёт вас.' },
  { hours: 49, isIncoming: true, phone: '79990000001', text: 'Спасибо, зайду вечером!' },
  { hours: 20, isIncoming: true, phone: '79990000010', text: 'Есть ли у вас улун?' },
  {
    hours: 19,
    isIncoming: false,
    phone: '79990000010',
    text: 'Да, три сорта. Отложим для вас?',
  },
];

/**
 * WhatsApp instances of the customer in every state: those with a phone have one of the simulated gateway. The first has some messages, which
 * are in the lists of messages, too.
 */
export async function seedWapi(
  query: Query,
  OwnerId: string,
  { seal, type }: { seal: (id: string, token: string) => Promise<Buffer>; type: number },
): Promise<void> {
  await query(
    `insert into channels (name, driver, types, options, priority) values ('wapi', 'wapi', '{wapi}', '{}', 1000) on conflict (name) do nothing`,
  );
  for (const instance of INSTANCES) {
    const { id, state, phone, days, isCanceled = false } = instance;
    const external = state === 'deleted' ? null : await addPhone(query, instance);
    await query(
      `with i as (
         insert into wapi_instances (id, owner_id, created_by, state, phone, anchor, expired_at, external_id, token, is_canceled, is_paid, created_at)
         select $1, $2, $2, $3, $4, at, at + interval '1 month', $5, $6, $8, at + interval '1 month' > now(), at
           from (select date_trunc('milliseconds', now()) - $7 * interval '1 day' as at) t
         returning id, owner_id, anchor, expired_at)
       insert into wapi_periods (instance_id, owner_id, starts_at, ends_at, amount) select id, owner_id, anchor, expired_at, 0 from i`,
      [
        id,
        OwnerId,
        state,
        phone && `+${phone}`,
        external?.id ?? null,
        external && (await seal(id, external.token)),
        days,
        isCanceled,
      ],
    );
  }
  await addMessages(query, OwnerId, type);
}

/** A phone at the simulated gateway. */
async function addPhone(query: Query, { id, state, phone }: DemoInstance) {
  const now = Date.now();
  const instance = {
    id: `demo-${id.slice(-3)}`,
    token: crypto.randomUUID(),
    key: crypto.randomUUID(),
    name: id,
    state: PHONE_STATES[state as keyof typeof PHONE_STATES],
    phone,
    code: null,
    codeUntil: 0,
    isBeta: false,
    messages:
      phone === PHONE
        ? MESSAGES.map(({ hours, ...message }) => ({ ...message, at: now - hours * 3_600_000 }))
        : [],
    events: [],
    lastReceipt: 0,
  };
  await query(`insert into simulated_phones (id, key, instance) values ($1, $2, $3)`, [
    instance.id,
    instance.key,
    instance,
  ]);
  return instance;
}

async function addMessages(query: Query, OwnerId: string, type: number): Promise<void> {
  const rows = MESSAGES.map((message, n) => ({ ...message, phone: `+${message.phone}`, n }));
  const own = `+${PHONE}`;
  await query(
    `with m as materialized (
       select uuidv7(make_interval(hours => -r.hours)) as id, now() - make_interval(hours => r.hours) as at, r.*
         from jsonb_to_recordset($4::jsonb) as r(hours int, "isIncoming" boolean, phone text, text text, n int)),
     batch as (
       insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at)
       select $1, 'wapi', $3, 0, 3, count(*), (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], min(at), min(at), max(at)
         from m where not "isIncoming" returning id),
     received as (
       insert into sendings_incoming (id, owner_id, type, "from", "to", payload, channel, webhook_id)
       select id, $1, $3, phone, $2, jsonb_build_object('text', text), 'wapi', 'demo ' || n from m where "isIncoming"),
     talks as (
       insert into conversations (id, owner_id, address, state, unread, last_id, is_last_incoming, type, sender)
       select distinct on (phone) id, $1, phone, 'waiting', 1, id, true, $3, $2 from m where "isIncoming" order by phone, id desc)
     insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, data, sent_at, delivered_at)
     select m.id, $1, batch.id, $3, 1, 3, 1, 0, $2, phone, text, jsonb_build_object('payload', jsonb_build_object('sender', $2::text)),
            at + interval '1 second', at + interval '3 seconds'
       from m, batch where not "isIncoming"`,
    [OwnerId, own, type, JSON.stringify(rows)],
  );
}
