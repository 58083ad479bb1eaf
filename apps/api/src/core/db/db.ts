import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

interface Transaction {
  afterCommit: (() => unknown)[];
  afterFailure: (() => unknown)[];
  beforeCommit: Map<object, { value: unknown; write: () => Promise<unknown> }>;
}

interface Running {
  runner: QueryRunner;
  /** Absent of a connection that is shared for reading. */
  transaction?: Transaction;
  /** Who wants the answers of a shared connection no more. */
  signal?: AbortSignal;
}

/** Serialisation failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);
/** Whether a transaction that failed by this is tried again. */
export const isRetryable = (error: unknown): boolean =>
  RETRIED.has((error as { code?: string }).code ?? '');
const TRIES = 5;
const MAX_PREPARED_STATEMENTS = 500;
/** Of texts: all connections of a process have them in common, since a connection may serve more than one `Db`. */
const NAMES = new Map<string, string>();

/** The name of the constraint or unique index that refused a statement; undefined of any other failure. */
export const violated = (error: unknown): string | undefined =>
  (error as { constraint?: string }).constraint;

/**
 * The database with an ambient transaction: whoever runs inside `transaction` takes part in it without being handed anything.
 * Nested ones join. What must not be seen before the commit goes to `afterCommit`.
 */
@Injectable()
export class Db {
  private readonly running = new AsyncLocalStorage<Running>();

  /** `writeSeconds`: how long a statement of a transaction may take; others have what their connection allows. */
  constructor(
    readonly dataSource: DataSource,
    private readonly writeSeconds?: number,
  ) {}

  /** Rows of one statement, in the running transaction if there is one. Each connection prepares it once and keeps its plan. */
  async query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.run<T>(sql, parameters, nameOf(sql))).rows;
  }

  /** How many rows a statement touched. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters, nameOf(sql))).rowCount ?? 0;
  }

  /** Rows of a statement whose text was put together for one question, and whose plan depends on what is asked for. */
  async queryUnprepared<T = Record<string, unknown>>(
    sql: string,
    parameters: unknown[] = [],
  ): Promise<T[]> {
    return (await this.run<T>(sql, parameters)).rows;
  }

  get manager(): EntityManager {
    return this.running.getStore()?.runner.manager ?? this.dataSource.manager;
  }

  get inTransaction(): boolean {
    return this.running.getStore()?.transaction !== undefined;
  }

  /** Runs `work` in a transaction. A deadlock or serialisation failure repeats the whole of it, so it has no effect but SQL. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt >= TRIES || !isRetryable(error)) throw error;
        await sleep(5 * attempt + Math.random() * 20);
      }
    }
  }

  /** Of the pool: how many connections rest, how many work, and how many wait for one. */
  connections(): { idle: number; busy: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (
      this.dataSource.driver as unknown as { master: Record<string, number> }
    ).master as { totalCount: number; idleCount: number; waitingCount: number };
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  /** At once when no transaction runs. A failure of `then` is nobody's: it must handle its own. */
  afterCommit(then: () => unknown): void {
    const transaction = this.running.getStore()?.transaction;
    if (transaction) transaction.afterCommit.push(then);
    else then();
  }

  /** When what runs now has been taken back, at once when no transaction runs. A failure of `then` is nobody's, either. */
  afterFailure(then: () => unknown): void {
    const transaction = this.running.getStore()?.transaction;
    if (transaction) transaction.afterFailure.push(then);
    else then();
  }

  /**
   * What a transaction gathers under a key, to be written by its last statements; undefined when none runs. A repeated
   * transaction gathers anew.
   */
  beforeCommit<T>(
    key: object,
    begin: () => T,
    write: (value: T) => Promise<unknown>,
  ): T | undefined {
    const transaction = this.running.getStore()?.transaction;
    if (!transaction) return undefined;
    const known = transaction.beforeCommit.get(key);
    if (known) return known.value as T;
    const value = begin();
    transaction.beforeCommit.set(key, { value, write: () => write(value) });
    return value;
  }

  /** Statements that follow in this transaction may take so long: for work that is known to be long. */
  async setStatementTimeout(seconds: number): Promise<void> {
    await this.query(`select set_config('statement_timeout', $1, true)`, [`${seconds}s`]);
  }

  /**
   * What `work` reads outside of a transaction goes over one connection. When the signal aborts, the statement that runs
   * is cancelled and no other begins: nobody waits for the answer.
   */
  async withConnection<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => (cancelled = this.cancel(runner));
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await this.running.run({ runner, signal }, work);
    } finally {
      signal.removeEventListener('abort', cancel);
      // Before the connection serves anybody else.
      await cancelled;
      await runner.release();
    }
  }

  /** Within a transaction: when the signal aborts, the statement that runs is cancelled, no other begins, and `work` fails. */
  async cancelledBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const running = this.running.getStore()!;
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => (cancelled = this.cancel(running.runner));
    signal.throwIfAborted();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.running.run({ ...running, signal }, work);
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelled;
    }
  }

  private async cancel(runner: QueryRunner): Promise<void> {
    const { processID } = (await runner.connect()) as { processID: number };
    await this.dataSource.query(`select pg_cancel_backend($1)`, [processID]).catch(() => undefined);
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const transaction: Transaction = { afterCommit: [], afterFailure: [], beforeCommit: new Map() };
    try {
      const client = (await runner.connect()) as ClientBase;
      await this.begin(runner, client);
      let result: T;
      try {
        result = await this.running.run({ runner, transaction }, async () => {
          const done = await work();
          for (const { write } of transaction.beforeCommit.values()) await write();
          return done;
        });
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        this.running.exit(() => transaction.afterFailure.forEach((then) => then()));
        throw error;
      }
      this.running.exit(() => transaction.afterCommit.forEach((then) => then()));
      return result;
    } finally {
      await runner.release();
    }
  }

  /** One message for both: how long its statements may take costs a transaction no round trip. */
  private async begin(runner: QueryRunner, client: ClientBase): Promise<void> {
    const limit = this.writeSeconds && `; set local statement_timeout = '${this.writeSeconds}s'`;
    await client.query(`start transaction${limit ?? ''}`);
    // TypeORM begins another one for what it saves unless it knows of ours.
    (runner as { isTransactionActive: boolean }).isTransactionActive = true;
  }

  private async run<T>(
    sql: string,
    parameters: unknown[],
    name?: string,
  ): Promise<QueryResult<T & QueryResultRow>> {
    const running = this.running.getStore();
    running?.signal?.throwIfAborted();
    const runner = running?.runner ?? this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      return await client.query<T & QueryResultRow>({ name, text: sql, values: parameters });
    } finally {
      if (!running) await runner.release();
    }
  }
}

/** A short name for a text. Texts are constants but for some shapes of batches; should they ever grow, the rest goes without. */
function nameOf(sql: string): string | undefined {
  let name = NAMES.get(sql);
  if (!name && NAMES.size < MAX_PREPARED_STATEMENTS) NAMES.set(sql, (name = `s${NAMES.size}`));
  return name;
}
