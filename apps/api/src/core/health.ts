import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { health, ResponseOf } from '@heliograph/contract';
import pg from 'pg';
import { Config } from './config.ts';
import { MIGRATIONS } from './db/data-source.ts';
import { Jobs } from './jobs/queue.ts';
import { Shutdown } from './shutdown.ts';

type Readiness = ResponseOf<typeof health.ready>;

/** A part that has not answered by then does not answer. */
const ANSWER_MS = 1500;
/** An answer serves everyone who asks within this time: probes of strangers cost nothing more. */
const KEPT_MS = 500;

/** Whether this process can do its work, found out in bounded time whatever hangs. */
@Injectable()
export class Health implements OnApplicationShutdown {
  /** Apart from the pool of the process: that all its connections are busy says nothing about the database. */
  private readonly database: pg.Pool;
  private readonly applied = new Check(() => this.countMigrations());
  private readonly redis: Check<boolean>;

  constructor(
    config: Config,
    jobs: Jobs,
    private readonly shutdown: Shutdown,
  ) {
    this.database = new pg.Pool({
      connectionString: config.DATABASE_URL,
      application_name: 'heliograph health',
      max: 1,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      allowExitOnIdle: true,
    });
    this.database.on('error', () => undefined);
    this.redis = new Check(() => jobs.ready());
  }

  async readiness(): Promise<Readiness> {
    const [applied, redis = false] = await Promise.all([this.applied.get(), this.redis.get()]);
    const database = applied !== undefined;
    // More than we know of: a newer version has migrated while we still run.
    const migrations = database && applied >= MIGRATIONS.length;
    return {
      status: this.statusOf(database, migrations, redis),
      checks: { database, migrations, redis },
    };
  }

  onApplicationShutdown(): void {
    // Not waited for: a database that hangs would keep the process.
    this.database.end().catch(() => undefined);
  }

  private statusOf(database: boolean, migrations: boolean, redis: boolean): Readiness['status'] {
    if (this.shutdown.isStopping) return 'stopping';
    if (!database) return 'unavailable';
    if (!migrations) return 'starting';
    return redis ? 'ready' : 'degraded';
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

/** One look at a time, whoever asks; undefined when it fails or takes too long. */
class Check<T> {
  private last?: { answer: Promise<T | undefined>; until: number };

  constructor(private readonly look: () => Promise<T>) {}

  get(): Promise<T | undefined> {
    if (!this.last || this.last.until < performance.now()) {
      const answer = this.look().catch(() => undefined);
      const last = { answer, until: Infinity };
      this.last = last;
      void answer.then(() => (last.until = performance.now() + KEPT_MS));
    }
    return within(this.last.answer);
  }
}

function within<T>(answer: Promise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS + 100, undefined);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
