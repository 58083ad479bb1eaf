type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The simulated mail server as a channel over SMTP, beside the built-in carrier, which keeps the messages that name no channel. Idempotent. */
export async function seedMail(query: Query, url: string): Promise<void> {
  const options = { url, startTls: 'never', domain: 'demo.example', deliveredAfter: 2 };
  await query(
    `insert into channels (name, driver, types, options, priority) values ('mail', 'smtp', '{email}', $1, -1) on conflict (name) do nothing`,
    [JSON.stringify(options)],
  );
}
