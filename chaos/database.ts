import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A database client of the checks that survives restarts of the server. */
export class Database {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  /** Runs an idempotent statement; repeats it while the server is away. */
  async rows<T>(sql: string, values: unknown[] = []): Promise<T[]> {
    for (const end = Date.now() + 60_000; ;) {
      try {
        return (await this.pool.query(sql, values)).rows as T[];
      } catch (error) {
        const { code } = error as { code?: string };
        // Or a deadlock: clearing the tables meets the sweeps of running workers.
        const isAway = !code || !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08|53|40P01)/.test(code);
        if (!isAway || Date.now() > end) throw error;
        await sleep(100);
      }
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
