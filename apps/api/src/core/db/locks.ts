import pg from 'pg';

/** First half of every key, which separates these from other advisory locks. */
const LOCK_CLASS = 7_205_759;
const CONNECT_MS = 30_000;
/** Longer than any pause of a healthy process. */
const IDLE_TIMEOUT = '10s';

/**
 * Advisory locks by name on one connection. Postgres ends the session and releases its locks if the process exits or sends
 * no statement for ten seconds, so a stalled process does not block the others.
 */
export class NamedLocks {
  private session?: pg.Client;
  private last: Promise<unknown> = Promise.resolve();

  /** `url` is that of the database itself: over a pooler in transaction mode the locks would be of no one's session. */
  constructor(private readonly url: string) {}

  /** Takes those of `names` that are free, and returns them. */
  take(names: string[]): Promise<string[]> {
    return this.query<{ name: string; got: boolean }>(
      `select name, pg_try_advisory_lock($1, hashtext(name)) as got from unnest($2::text[]) n (name)`,
      names,
    ).then((rows) => rows.filter(({ got }) => got).map(({ name }) => name));
  }

  /** Locks of a lost session are already free. */
  async release(name: string): Promise<void> {
    if (this.session)
      await this.query(`select pg_advisory_unlock($1, hashtext($2))`, name).catch(() => undefined);
  }

  /** Runs one statement at a time. After a failure all locks are released. */
  private query<T extends pg.QueryResultRow>(
    sql: string,
    parameter: string | string[],
  ): Promise<T[]> {
    const result = this.last.then(async () => {
      try {
        const session = (this.session ??= await open(this.url));
        return (await session.query<T>(sql, [LOCK_CLASS, parameter])).rows;
      } catch (error) {
        await this.end();
        throw error;
      }
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.last;
    await this.end();
  }

  private async end(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.end();
  }
}

async function open(url: string): Promise<pg.Client> {
  const session = new pg.Client({
    connectionString: url,
    application_name: 'heliograph locks',
    connectionTimeoutMillis: CONNECT_MS,
    options: `-c idle_session_timeout=${IDLE_TIMEOUT}`,
  });
  // The next statement fails and tells.
  session.on('error', () => undefined);
  await session.connect();
  return session;
}
