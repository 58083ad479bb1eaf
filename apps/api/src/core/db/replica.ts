import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { SharedCalls } from '../shared-calls.ts';
import { Db, isConnectionLost, NeedsPrimaryError } from './db.ts';

/** How long a read waits for the replica to have what the primary had when the read began. */
const WAIT_MS = 100;
/** Reads go to the primary without a try for so long after the replica was behind, or not there. */
const REST_MS = { behind: 1000, unreachable: 5000 };
/** How long a replica may take to be connected, and to say how far it is. */
const ANSWER_MS = 2000;
/** Recovery removed what the statement read, or waited for it: Postgres ends such statements of a replica, or their session. */
const CONFLICTS = new Set(['40001', '40P01']);
const READ_ONLY = '25006';

/** The replica cannot be used now. */
class LeftOutError extends Error {
  constructor(
    readonly result: 'behind' | 'unreachable',
    cause?: unknown,
  ) {
    super(`The replica is ${result}`, { cause });
  }
}

/** A connection as the driver has it, below its types. */
interface Opened {
  connection: { stream: { destroy(): void } };
}

/** How a read ended at the replica. All others are made again, at the primary. */
export type ReplicaResult = 'done' | 'behind' | 'unreachable' | 'conflict' | 'refused';

/** The bytes of the log that it has still to apply; null if it does not answer, or is no replica any more. */
export interface ReplicaState {
  behind: number | null;
}

/**
 * The streaming replica of `DATABASE_READ_URL`, which takes the reads of lists off the primary. A read sees all that was committed before it
 * began, by whomever: it waits until the replica has it, and goes to the primary if that takes too long
 * (docs/decisions/180-lists-from-a-replica.md).
 */
@Injectable()
export class Replica implements OnApplicationShutdown {
  private source?: Promise<DataSource>;
  private restUntil = 0;
  /** Reads that begin while the primary is being asked share the next question. */
  private readonly positions = new SharedCalls<void, string>(
    async (reads) => {
      const [row] = await this.db.query<{ position: string }>(
        // What was committed without waiting for the disk is seen before it is flushed.
        `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text
                as position`,
      );
      return reads.map(() => row!.position);
    },
    { items: Infinity, calls: 1 },
  );

  constructor(
    private readonly db: Db,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    if (!this.isConfigured) return;
    metrics.gauge(
      'replica_behind_bytes',
      'Log that the replica has still to apply',
      [],
      async () => {
        const behind = (await this.state())?.behind ?? null;
        return behind === null ? [] : [{ value: behind }];
      },
    );
  }

  get isConfigured(): boolean {
    return this.config.DATABASE_READ_URL !== undefined;
  }

  /**
   * Runs the statements of `work` on one connection without a transaction, at the replica if it can. `work` may run a second time, so it
   * must only read.
   */
  async read<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const atPrimary = () => this.db.withConnection(signal, work);
    if (!this.isConfigured || performance.now() < this.restUntil) return atPrimary();
    const position = await this.positions.add();
    try {
      const result = await this.atReplica(signal, async () => {
        await this.reach(position);
        return work();
      });
      this.metrics.replicaRead('done');
      return result;
    } catch (error) {
      const result = resultOf(error);
      if (!result || signal.aborted) throw error;
      this.failed(result, error);
      return atPrimary();
    }
  }

  /** Null without a replica. */
  async state(): Promise<ReplicaState | null> {
    if (!this.isConfigured) return null;
    try {
      const position = await this.positions.add();
      const behind = await this.atReplica(AbortSignal.timeout(ANSWER_MS), async () => {
        const [row] = await this.db.query<{ behind: number | null }>(
          `select case when pg_is_in_recovery() then greatest(0, pg_wal_lsn_diff($1::text::pg_lsn, pg_last_wal_replay_lsn()))::float8 end as behind`,
          [position],
        );
        return row!.behind;
      });
      return { behind };
    } catch {
      return { behind: null };
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private async atReplica<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const source = await (this.source ??= this.open()).catch(unreachable);
    return this.db.withConnection(signal, work, source);
  }

  /** Within `atReplica`: until the replica has applied the log up to a position of the primary. */
  private async reach(position: string): Promise<void> {
    // One that leads nowhere, as after a loss of the network, is closed.
    const client = (await this.db.manager.queryRunner!.connect().catch(unreachable)) as Opened;
    const until = performance.now() + WAIT_MS;
    for (let pause = 1; ; pause *= 2) {
      const timer = setTimeout(() => client.connection.stream.destroy(), ANSWER_MS);
      const [row] = await this.db
        .query<{ has: boolean }>(
          // One that was promoted goes its own way.
          `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn as has`,
          [position],
        )
        .catch(unreachable)
        .finally(() => clearTimeout(timer));
      if (row!.has) return;
      if (performance.now() + pause > until) throw new LeftOutError('behind');
      await sleep(pause);
    }
  }

  private async open(): Promise<DataSource> {
    const options = this.db.dataSource.options as Extract<DataSourceOptions, { type: 'postgres' }>;
    const extra = { ...options.extra, connectionTimeoutMillis: ANSWER_MS };
    const source = new DataSource({ ...options, url: this.config.DATABASE_READ_URL, extra });
    try {
      return await source.initialize();
    } catch (error) {
      this.source = undefined;
      throw error;
    }
  }

  private async close(): Promise<void> {
    const source = this.source;
    this.source = undefined;
    await (await source?.catch(() => undefined))?.destroy().catch(() => undefined);
  }

  private failed(result: Exclude<ReplicaResult, 'done'>, error: unknown): void {
    this.metrics.replicaRead(result);
    if (result === 'behind' || result === 'unreachable') {
      // Its other connections lead nowhere, too.
      if (result === 'unreachable') void this.close();
      this.restUntil = performance.now() + REST_MS[result];
      this.log.warn({ err: error, result }, 'Lists are read from the primary for a while.');
    }
  }
}

/** Whatever keeps one from asking it, be it a wrong password. */
function unreachable(cause: unknown): never {
  throw new LeftOutError('unreachable', cause);
}

/** Why the replica could not do it; undefined for errors of the work itself. */
function resultOf(error: unknown): Exclude<ReplicaResult, 'done'> | undefined {
  const { code } = error as { code?: string };
  if (error instanceof LeftOutError) return error.result;
  if (error instanceof NeedsPrimaryError || code === READ_ONLY) return 'refused';
  if (CONFLICTS.has(code ?? '')) return 'conflict';
  return isConnectionLost(error) ? 'unreachable' : undefined;
}
