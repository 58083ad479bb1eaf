type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The channel of the demo world's bot in MAX, beside the built-in carrier, which keeps the messages that name no channel. Idempotent. */
export async function seedMax(query: Query, url: string, token: string): Promise<void> {
  // The simulated messenger posts to the installation that it is part of, whatever the host.
  const options = { url, token, callbackUrl: 'https://demo.invalid/api/callbacks/max' };
  await query(
    `insert into channels (name, driver, types, options, priority, rate) values ('max', 'max-bot', '{max}', $1, -1, 30) on conflict (name) do nothing`,
    [JSON.stringify(options)],
  );
}
