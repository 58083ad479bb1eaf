import type { QueryRunner } from 'typeorm';
import type { Db } from './db.ts';

/** First half of every key: theirs are apart from other advisory locks. */
const SPACE = 7_205_759;
/** Longer than any pause of a process that lives. */
const SILENCE = '10s';

/**
 * Advisory locks by name over one connection. Postgres ends its session, and with it the locks, when its process is gone or
 * asks nothing for ten seconds, so one that stands still does not keep the others from working.
 */
export class NamedLocks {
  private session?: QueryRunner;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: Db) {}

  /** Those of `names` that nobody else has, and that are held from now on. */
  take(names: string[]): Promise<string[]> {
    return this.query<{ name: string; got: boolean }>(
      `select name, pg_try_advisory_lock($1, hashtext(name)) as got from unnest($2::text[]) n (name)`,
      names,
    ).then((rows) => rows.filter(({ got }) => got).map(({ name }) => name));
  }

  /** Where the session is lost its locks are free already. */
  async release(name: string): Promise<void> {
    const held = this.session;
    if (held && !held.isReleased)
      await this.query(`select pg_advisory_unlock($1, hashtext($2))`, name).catch(() => undefined);
  }

  /** One statement at a time: a connection has no more. After any failure all locks are let go. */
  private query<T>(sql: string, what: string | string[]): Promise<T[]> {
    const answer = this.last.then(async () => {
      try {
        return (await (await this.open()).query(sql, [SPACE, what])) as T[];
      } catch (error) {
        await this.end();
        throw error;
      }
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async open(): Promise<QueryRunner> {
    if (this.session && !this.session.isReleased) return this.session;
    const session = this.db.dataSource.createQueryRunner();
    this.session = session;
    await session.query(`set idle_session_timeout = '${SILENCE}'`);
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
