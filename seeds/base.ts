type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The id of the base tariff, with invented prices; constant, so that seeding again changes nothing. */
export const BASE_TARIFF = '01930000-0000-7000-8000-000000000001';

export interface BaseRule {
  action?: 'increase' | 'decrease';
  price: number[];
  conditions: { tag: string; value: string | string[] }[];
  priority: number;
}
const byType = (type: string, price: number[], priority = 0): BaseRule => ({
  price,
  conditions: [{ tag: 'type', value: type }],
  priority,
});
const sms = (mccmnc: string[], price: number): BaseRule => ({
  price: [price],
  conditions: [
    { tag: 'type', value: 'sms' },
    { tag: 'mccmnc', value: mccmnc },
  ],
  priority: 10,
});

/** Prices of the default tariff: invented, in roubles. */
export const BASE_RULES: BaseRule[] = [
  byType('sms', [3.5]),
  sms(['25001'], 3.2),
  sms(['25002'], 2.6),
  sms(['25099'], 2.9),
  sms(['25020'], 2.8),
  sms(['401*'], 9.5),
  {
    action: 'decrease',
    price: [0.2],
    conditions: [
      { tag: 'type', value: 'sms' },
      { tag: 'sender', value: ['DEMO'] },
    ],
    priority: 60,
  },
  byType('smsping', [0.5]),
  byType('mms', [12]),
  byType('viber', [2.1]),
  byType('voice', [0.6, 0.09]),
  byType('whatsapp', [7.5]),
  byType('email', [0.25]),
  byType('vk', [1.5]),
  byType('ok', [1.4]),
  byType('push', [0.05]),
  ...['telegram', 'max', 'facebook', 'instagram'].map((t) => byType(t, [1.2])),
  ...['telegram', 'vk', 'ok', 'facebook', 'instagram', 'whatsapp'].map((t) =>
    byType(`chat_${t}`, [0.9]),
  ),
  byType('flashcall', [0.6]),
  byType('hlr', [0.35]),
  byType('telegramcode', [1.1]),
  byType('sim_push', [1]),
  byType('wapi', [1990]),
];

/** The base data of every installation: a tariff. Idempotent. */
export async function seedBase(query: Query): Promise<void> {
  await query(
    `insert into tariffs (id, title, source, is_default) values ($1, 'Standard', 'standard', true) on conflict (id) do nothing`,
    [BASE_TARIFF],
  );
  await query(
    `insert into tariff_rules (tariff_id, action, price, conditions, priority)
     select $1, r.action, (select array_agg(p::text::numeric) from jsonb_array_elements(r.price) p), r.conditions, r.priority
       from jsonb_to_recordset($2::jsonb) as r(action text, price jsonb, conditions jsonb, priority int)
      where not exists (select 1 from tariff_rules where tariff_id = $1)`,
    [BASE_TARIFF, JSON.stringify(BASE_RULES.map((r) => ({ action: 'increase', ...r })))],
  );
}

/** The built-in carrier, which charges messages and delivers none: for worlds of invented people. Idempotent. */
export async function seedSimulator(query: Query, types: readonly string[]): Promise<void> {
  await query(
    `insert into channels (name, driver, types, options) values ('simulator', 'simulator', $1, '{"profile": "healthy"}')
     on conflict (name) do nothing`,
    [types],
  );
}
