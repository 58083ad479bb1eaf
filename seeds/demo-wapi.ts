type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

const LINKED = '01930000-0000-7000-8000-000000000501';
const UNLINKED = '01930000-0000-7000-8000-000000000502';
const PHONE = '79990000021';

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
];

/**
 * Two WhatsApp instances of the customer in their free first month: one with a phone of the simulated gateway, which has some messages,
 * and one without.
 */
export async function seedWapi(
  query: Query,
  OwnerId: string,
  seal: (id: string, token: string) => Promise<Buffer>,
): Promise<void> {
  await query(
    `insert into channels (name, driver, types, options, priority) values ('wapi', 'wapi', '{wapi}', '{}', 1000) on conflict (name) do nothing`,
  );
  for (const [id, isLinked, days] of [
    [LINKED, true, 9],
    [UNLINKED, false, 2],
  ] as const) {
    const now = Date.now();
    const instance = {
      id: `demo-${id.slice(-3)}`,
      token: crypto.randomUUID(),
      key: crypto.randomUUID(),
      name: id,
      state: isLinked ? 'authorized' : 'notAuthorized',
      phone: isLinked ? PHONE : null,
      code: null,
      codeUntil: 0,
      isBeta: false,
      messages: isLinked
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
    await query(
      `with i as (
         insert into wapi_instances (id, owner_id, created_by, state, phone, anchor, expired_at, external_id, token, created_at)
         select $1, $2, $2, $3, $4, at, at + interval '1 month', $5, $6, at from (select date_trunc('milliseconds', now()) - $7 * interval '1 day' as at) t
         returning id, owner_id, anchor, expired_at)
       insert into wapi_periods (instance_id, owner_id, starts_at, ends_at, amount) select id, owner_id, anchor, expired_at, 0 from i`,
      [
        id,
        OwnerId,
        instance.state,
        isLinked ? `+${PHONE}` : null,
        instance.id,
        await seal(id, instance.token),
        days,
      ],
    );
  }
}
