import { createHash, randomBytes } from 'node:crypto';

type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

const PORTAL = {
  id: '01930000-0000-7000-8000-000000000601',
  title: 'Битрикс24',
  portal: 'https://mirtea.bitrix24.example',
};
const SHOP = {
  id: '01930000-0000-7000-8000-000000000602',
  title: 'Интернет-магазин',
  recipient: 'order.phone',
  text: 'Заказ {{ order.number }} собран. Ждём вас!',
  key: 'order.id',
};

/** Secrets that nobody knows: a new URL is given by the cabinet. */
const unknownHash = () => createHash('sha256').update(randomBytes(32)).digest();

/** A portal that is connected and reports statuses back, a shop that sends by its own URL, and a form that waits for its first call. */
export async function seedIntegrations(
  query: Query,
  OwnerId: string,
  {
    sealAccess,
    sealSecret,
  }: {
    sealAccess: (OwnerId: string) => Promise<Buffer>;
    sealSecret: (OwnerId: string) => Promise<Buffer>;
  },
): Promise<void> {
  await query(
    `insert into integrations (id, owner_id, kind, title, type, sender, secret, portal, access, application_token, last_message_at, created_at, updated_at)
     values ($1, $2, 'bitrix24', $3, 'sms', 'MIRTEA', $4, $5, $6, $7, now() - interval '3 hours', now() - interval '20 days', now() - interval '20 days')`,
    [
      PORTAL.id,
      OwnerId,
      PORTAL.title,
      unknownHash(),
      PORTAL.portal,
      await sealAccess(OwnerId),
      unknownHash(),
    ],
  );
  await query(
    `insert into webhooks (owner_id, integration_id, title, event, url, method, statuses, success_on, secret, last_success_at, created_at, updated_at)
     values ($1, $2, $3, 'sendings.status', $4, 'POST', '{delivered,seen,failed}', '{"status": "^(2\\\\d\\\\d|400)$", "body": null}', $5,
             now() - interval '3 hours', now() - interval '20 days', now() - interval '20 days')`,
    [OwnerId, PORTAL.id, PORTAL.title, PORTAL.portal, await sealSecret(OwnerId)],
  );
  const { id, title, recipient, text, key } = SHOP;
  await query(
    `insert into integrations (id, owner_id, kind, title, type, sender, secret, recipient, text, key, last_message_at, created_at, updated_at)
     values ($1, $2, 'crm', $3, 'sms', 'MIRTEA', $4, $5, $6, $7, now() - interval '40 minutes', now() - interval '12 days', now() - interval '12 days')`,
    [id, OwnerId, title, unknownHash(), recipient, text, key],
  );
  await query(
    `insert into integrations (owner_id, kind, title, type, sender, secret, recipient, text, created_at, updated_at)
     values ($1, 'crm', 'Форма обратной связи', 'sms', 'MIRTEA', $2, 'phone', 'Спасибо за заявку! Перезвоним сегодня.', now() - interval '1 day', now() - interval '1 day')`,
    [OwnerId, unknownHash()],
  );
}
