type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

interface DemoWebhook {
  id: string;
  title: string;
  event: string;
  url: string;
  /** Days since its calls fail; it is paused then. */
  failing: number | null;
  /** Days since the last success. */
  success: number;
}

const CRM: DemoWebhook = {
  id: '01930000-0000-7000-8000-000000000401',
  title: 'CRM',
  event: 'sendernames.moderation',
  url: 'https://crm.mirtea.example/hooks/{{id}}',
  failing: null,
  success: 3,
};
const ACCOUNTING: DemoWebhook = {
  id: '01930000-0000-7000-8000-000000000402',
  title: 'Бухгалтерия',
  event: 'billings.balance',
  url: 'https://books.mirtea.example/hooks/balance',
  failing: 2,
  success: 9,
};

/** Subscribed by an automation service through `/hooks`. */
const HOOK: DemoWebhook = {
  id: '01930000-0000-7000-8000-000000000403',
  title: 'Make: новые шаблоны',
  event: 'templates.moderation',
  url: 'https://hook.make.example/mirtea-templates',
  failing: null,
  success: 6,
};

interface DemoDelivery {
  /** Days ago. */
  at: number;
  /** Statuses of the answers, the last one last. */
  answers: number[];
  state: 'waiting' | 'delivered' | 'failed';
}

const OF_CRM: DemoDelivery[] = [
  { at: 21, answers: [200], state: 'delivered' },
  { at: 14, answers: [503, 503, 200], state: 'delivered' },
  { at: 3, answers: [200], state: 'delivered' },
];
const OF_ACCOUNTING: DemoDelivery[] = [
  { at: 20, answers: [204], state: 'delivered' },
  { at: 12, answers: Array<number>(10).fill(503), state: 'failed' },
  { at: 9, answers: [204], state: 'delivered' },
  { at: 2, answers: Array<number>(8).fill(503), state: 'waiting' },
  { at: 1.5, answers: [503], state: 'waiting' },
  { at: 0.2, answers: [], state: 'waiting' },
];
const OF_HOOK: DemoDelivery[] = [{ at: 6, answers: [200], state: 'delivered' }];
const STATES = { waiting: 0, delivered: 1, failed: 2 };
/** Seconds from an event to its attempts. */
const ATTEMPTS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DAY_MS = 86_400_000;

/** Webhooks of the customer: one that works, one that was paused because its server fails, and one of an automation service, with their logs. */
export async function seedWebhooks(
  query: Query,
  OwnerId: string,
  seal: (OwnerId: string) => Promise<Buffer>,
): Promise<void> {
  for (const { id, title, event, url, failing, success } of [CRM, ACCOUNTING, HOOK])
    await query(
      `insert into webhooks (id, owner_id, title, event, url, method, state, reason, secret, failures, failing_since, last_success_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'POST', $6, $7, $8, $9, now() - make_interval(secs => $10), now() - make_interval(secs => $11), now() - interval '25 days', now() - interval '25 days')`,
      [
        id,
        OwnerId,
        title,
        event,
        url,
        failing === null ? 'active' : 'paused',
        failing === null ? null : 'failing',
        await seal(OwnerId),
        failing === null ? 0 : 9,
        failing === null ? null : failing * 86_400,
        success * 86_400,
      ],
    );
  const names = await query<{ id: string; data: object }>(
    `select id, jsonb_build_object('id', id, 'name', name, 'type', type, 'moderation', moderation, 'comment', null) as data
       from sendernames where owner_id = $1 and moderation <> 'pending' order by created_at limit $2`,
    [OwnerId, OF_CRM.length],
  );
  await log(query, OwnerId, CRM, OF_CRM.slice(0, names.length), (i) => names[i]!);
  const templates = await query<{ id: string; data: object }>(
    `select id, jsonb_build_object('id', id, 'title', title, 'moderation', moderation, 'comment', null) as data
       from templates where owner_id = $1 and moderation = 'approved' order by created_at limit 1`,
    [OwnerId],
  );
  await log(query, OwnerId, HOOK, OF_HOOK, () => templates[0]!);
  const entries = await query<{ data: object }>(
    `select jsonb_build_object('id', id, 'amount', amount, 'balance', sum(amount) over (order by id), 'currency', 'RUB') as data
       from billings where owner_id = $1 and amount > 0 order by id desc limit 1`,
    [OwnerId],
  );
  await log(query, OwnerId, ACCOUNTING, OF_ACCOUNTING, () => ({
    id: OwnerId,
    data: entries[0]!.data,
  }));
}

async function log(
  query: Query,
  OwnerId: string,
  webhook: DemoWebhook,
  deliveries: DemoDelivery[],
  subject: (i: number) => { id: string; data: object },
): Promise<void> {
  const rows = deliveries.map(({ at, answers, state }, i) => {
    const { id, data } = subject(i);
    const time = new Date(Date.now() - at * DAY_MS);
    const attempts = answers.map((status, n) => ({
      at: new Date(time.getTime() + ATTEMPTS[n]! * 1000).toISOString(),
      status,
      error: status < 300 ? null : 'status',
      ms: 80 + 7 * n,
    }));
    const last = attempts.at(-1);
    return {
      key: id,
      data,
      state: STATES[state],
      tries: answers.length,
      at: time.toISOString(),
      due: last?.at ?? time.toISOString(),
      first: attempts[0]?.at,
      last: last?.at,
      status: last?.status,
      error: last?.error,
      ms: last?.ms,
      response: last && (last.error ? 'Service Unavailable' : 'ok'),
      attempts: attempts.length > 1 ? attempts.slice(0, -1) : null,
    };
  });
  await query(
    `insert into webhook_events (id, webhook_id, owner_id, key, data, state, tries, due_at, first_at, attempted_at, status, error, ms, response, attempts, at)
     select uuidv7(r.at - now()), $1, $2, r.key, r.data, r.state, r.tries, r.due, r.first, r.last, r.status, r.error, r.ms, r.response, r.attempts, r.at
       from jsonb_to_recordset($3::jsonb) as r(key uuid, data jsonb, state smallint, tries smallint, due timestamptz, first timestamptz, last timestamptz,
            status smallint, error text, ms int, response text, attempts jsonb, at timestamptz) order by r.at`,
    [webhook.id, OwnerId, JSON.stringify(rows)],
  );
}
