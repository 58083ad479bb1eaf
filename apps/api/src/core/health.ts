import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { health, ResponseOf } from '@heliograph/contract';
import pg from 'pg';
import { Config } from './config.ts';
import { MIGRATIONS } from './db/migrations.ts';
import { Files } from './files/files.ts';
import { Jobs } from './jobs/queue.ts';
import { Shutdown } from './shutdown.ts';

type Readiness = ResponseOf<typeof health.ready>;

/** Timeout of a check. */
const TIMEOUT_MS = 1500;
/** Results are cached, so that public probes do not load the database. */
const CACHE_MS = 500;
const FILES_CACHE_MS = 5000;

/** Readiness checks with a bounded duration. */
@Injectable()
export class Health implements OnApplicationShutdown {
  /** A separate pool: a busy main pool does not mean that the database is down. */
  private readonly database: pg.Pool;
  private readonly applied = new Check(() => this.countMigrations());
  private readonly redis: Check<boolean>;
  private readonly files: Check<boolean>;

  constructor(
    config: Config,
    jobs: Jobs,
    files: Files,
    private readonly shutdown: Shutdown,
  ) {
    this.database = new pg.Pool({
      connectionString: config.DATABASE_URL,
      application_name: 'heliograph health',
      max: 1,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    this.database.on('error', () => undefined);
    this.redis = new Check(() => jobs.ready());
    // It writes, so it runs less often.
    this.files = new Check(() => files.check().then(() => true), FILES_CACHE_MS);
  }

  async readiness(): Promise<Readiness> {
    const [applied, redis = false, files = false] = await Promise.all([
      this.applied.get(),
      this.redis.get(),
      this.files.get(),
    ]);
    const database = applied !== undefined;
    // A newer version may have applied more migrations while this one still runs.
    const migrations = database && applied >= MIGRATIONS.length;
    return {
      status: this.statusOf(database, migrations, redis && files),
      checks: { database, migrations, redis, files },
    };
  }

  onApplicationShutdown(): void {
    // Not awaited: an unresponsive database would block the shutdown.
    this.database.end().catch(() => undefined);
  }

  private statusOf(database: boolean, migrations: boolean, others: boolean): Readiness['status'] {
    if (this.shutdown.isStopping) return 'stopping';
    if (!database) return 'unavailable';
    if (!migrations) return 'starting';
    return others ? 'ready' : 'degraded';
  }

  private async countMigrations(): Promise<number> {
    const { rows } = await this.database
      .query<{ n: number }>(`select count(*)::int as n from migrations`)
      .catch((error: { code?: string }) => {
        if (error.code === UNDEFINED_TABLE) return { rows: [{ n: 0 }] };
        throw error;
      });
    return rows[0]!.n;
  }
}

const UNDEFINED_TABLE = '42P01';

/** Runs one check at a time and shares its result; undefined if it fails or times out. */
class Check<T> {
  private last?: { result: Promise<T | undefined>; until: number };

  constructor(
    private readonly check: () => Promise<T>,
    private readonly cacheMs = CACHE_MS,
  ) {}

  get(): Promise<T | undefined> {
    if (!this.last || this.last.until < performance.now()) {
      const result = this.check().catch(() => undefined);
      const last = { result, until: Infinity };
      this.last = last;
      void result.then(() => (last.until = performance.now() + this.cacheMs));
    }
    return within(this.last.result);
  }
}

function within<T>(result: Promise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS + 100, undefined);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
