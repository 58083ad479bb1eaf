import { randomBytes } from 'node:crypto';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The simulated SMSC as a channel over SMPP, beside the built-in carrier, which keeps the messages that name no channel. Idempotent. */
export async function seedSmpp(query: Query, url: string): Promise<void> {
  const password = randomBytes(6).toString('base64url');
  const options = { url, systemId: 'heliograph', password };
  await query(
    `insert into channels (name, driver, types, options, priority) values ('smpp', 'smpp', '{sms}', $1, -1) on conflict (name) do nothing`,
    [JSON.stringify(options)],
  );
}
