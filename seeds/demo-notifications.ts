type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** A system message of some days ago, with what its accounts received. */
const MESSAGE = {
  id: '01930000-0000-7000-8000-000000000501',
  daysAgo: 6,
  title: 'Задержки у одного из операторов',
  text: '<p>С 14:00 до 15:30 сообщения абонентам <b>«Чайная связь»</b> доставлялись с задержкой. Сейчас всё работает.</p><li>деньги за недоставленное вернулись на баланс</li><li>повторять рассылки не нужно</li>',
  operator: 'Чайная связь',
};

/** The choices of the demo customer, and a message of its manager. */
export async function seedNotifications(
  query: Query,
  { customer, customer2, manager }: Record<'customer' | 'customer2' | 'manager', string>,
): Promise<void> {
  await query(
    `insert into notification_settings (user_id, type, channels)
     select $1, type, '{web,telegram}' from unnest('{SendernameApproved,SendernameRejected,SendingsBulkCompleted}'::text[]) type`,
    [customer],
  );
  await query(
    `insert into balance_limits (user_id, owner_id, position, balance) values ($1, $1, 1, 500), ($1, $1, 2, 100)`,
    [customer],
  );
  const { id, daysAgo, title, text, operator } = MESSAGE;
  await query(
    `with at as (select now() - make_interval(days => $7) as at),
          message as (
            insert into system_messages (id, owner_id, user_id, type, title, text, operator, audience, created_at, updated_at)
            select $1, $2, $2, 'SystemRouteIssues', $3, $4, $5, '{"to":"own"}', at, at from at),
          broadcast as (
            insert into notification_broadcasts (id, type, data, manager_id, notified, finished_at)
            select $1, 'SystemRouteIssues', '{}', $2, cardinality($6::uuid[]), at from at)
     insert into notifications (id, user_id, owner_id, type, data, is_read, sent_at, delivered_at)
     select uuidv7(at - now()), account, account, 'SystemRouteIssues',
            jsonb_build_object('message', $1::uuid, 'title', $3::text, 'text', $4::text, 'operator', $5::text), true, at, at
       from at, unnest($6::uuid[]) account`,
    [id, manager, title, text, operator, [customer, customer2], daysAgo],
  );
}
