import type { QueryRunner } from 'typeorm';
import type { Db } from './db.ts';

/** First half of every key, which separates these from other advisory locks. */
const LOCK_CLASS = 7_205_759;
/** Longer than any pause of a healthy process. */
const IDLE_TIMEOUT = '10s';

/**
 * Advisory locks by name on one connection. Postgres ends the session and releases its locks if the process exits or sends
 * no statement for ten seconds, so a stalled process does not block the others.
 */
export class NamedLocks {
  private session?: QueryRunner;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: Db) {}

  /** Takes those of `names` that are free, and returns them. */
  take(names: string[]): Promise<string[]> {
    return this.query<{ name: string; got: boolean }>(
      `select name, pg_try_advisory_lock($1, hashtext(name)) as got from unnest($2::text[]) n (name)`,
      names,
    ).then((rows) => rows.filter(({ got }) => got).map(({ name }) => name));
  }

  /** Locks of a lost session are already free. */
  async release(name: string): Promise<void> {
    const held = this.session;
    if (held && !held.isReleased)
      await this.query(`select pg_advisory_unlock($1, hashtext($2))`, name).catch(() => undefined);
  }

  /** Runs one statement at a time. After a failure all locks are released. */
  private query<T>(sql: string, parameter: string | string[]): Promise<T[]> {
    const result = this.last.then(async () => {
      try {
        return (await (await this.open()).query(sql, [LOCK_CLASS, parameter])) as T[];
      } catch (error) {
        await this.end();
        throw error;
      }
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  private async open(): Promise<QueryRunner> {
    if (this.session && !this.session.isReleased) return this.session;
    const session = this.db.dataSource.createQueryRunner();
    this.session = session;
    await session.query(`set idle_session_timeout = '${IDLE_TIMEOUT}'`);
    return session;
  }

  async close(): Promise<void> {
    await this.last;
    await this.end();
  }

  private async end(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (!session || session.isReleased) return;
    await session
      .query(`select pg_advisory_unlock_all(); reset idle_session_timeout`)
      .catch(() => undefined);
    await session.release().catch(() => undefined);
  }
}
