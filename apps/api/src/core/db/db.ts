import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { cancel } from './cancel.ts';

interface Transaction {
  afterCommit: (() => unknown)[];
  afterFailure: (() => unknown)[];
  /** When the connection was lost during the commit. */
  afterUnknown: (() => unknown)[];
  beforeCommit: Map<object, { value: unknown; write: () => Promise<unknown> }>;
}

/** A replica cannot answer what runs. */
export class NeedsPrimaryError extends Error {}

interface Running {
  runner: QueryRunner;
  /** Whether the connection is to a replica. */
  isReplica?: boolean;
  /** Undefined for a connection that is shared for reading (`withConnection`). */
  transaction?: Transaction;
  /** Aborted when the result is no longer needed. */
  signal?: AbortSignal;
}

/** Serialisation failure, deadlock. */
const RETRYABLE_CODES = new Set(['40001', '40P01']);
export const isRetryable = (error: unknown): boolean =>
  RETRYABLE_CODES.has((error as { code?: string }).code ?? '');
/** A server that is starting, stopping or unreachable, a session that it ended, or too many of them. */
const LOST_CODES =
  /^(53300|57P0[1-5]|25P0[34]|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const LOST_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Query runner already released)/;
/** Whether the connection could not be opened or was lost. Then its transaction is committed or not, and nothing tells which. */
export const isConnectionLost = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return LOST_CODES.test(code ?? '') || LOST_MESSAGES.test(message ?? '');
};
/**
 * No room on the disk, no memory, a disk that fails, or a database that takes no writes (as clouds make one whose disk is nearly full). The
 * statement has had no effect.
 */
const REFUSED_CODES = /^(53[12]00|58030|25006)$/;
/** Whether the database answers and has no room, or takes no writes. */
export const hasNoRoom = (error: unknown): boolean =>
  REFUSED_CODES.test((error as { code?: string }).code ?? '');
/**
 * Whether the database cannot be used now, whatever is asked of it: the connection is lost, or it has no room. Nothing is wrong with the
 * work, which is for later; it is neither postponed nor given up.
 */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || hasNoRoom(error);
const TIMEOUT_CODES = /^(57014|55P03)$/;
/** Whether a statement was cancelled, or waited too long for itself or for a lock. Its transaction has had no effect. */
export const isTimeout = (error: unknown): boolean =>
  TIMEOUT_CODES.test((error as { code?: string }).code ?? '');
const MAX_ATTEMPTS = 5;
const MAX_PREPARED_STATEMENTS = 500;
/** Statement names by SQL text. Shared by the process, since a connection may serve more than one `Db`. */
const STATEMENT_NAMES = new Map<string, string>();

/** The name of the violated constraint or unique index; undefined for other errors. */
export const violated = (error: unknown): string | undefined =>
  (error as { constraint?: string }).constraint;

/** The connection of the running work. */
const running = new AsyncLocalStorage<Running>();

/** Whether the caller has a connection until its work ends, and so must not wait for work that may wait for one. */
export const holdsConnection = (): boolean => running.getStore() !== undefined;

/**
 * The database with an ambient transaction: statements inside `transaction` join it without a parameter, and so do nested
 * transactions. Effects that must not be visible before the commit go to `afterCommit`.
 */
@Injectable()
export class Db {
  /** `writeSeconds` is the statement timeout inside transactions; other statements have that of the connection. */
  constructor(
    readonly dataSource: DataSource,
    private readonly writeSeconds?: number,
  ) {}

  /** Runs a prepared statement and returns its rows. Each connection prepares it once and keeps the plan, except over a pooler. */
  async query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.run<T>(sql, parameters, nameOf(sql))).rows;
  }

  /** Runs a prepared statement and returns the number of affected rows. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters, nameOf(sql))).rowCount ?? 0;
  }

  /** Runs a generated statement whose plan depends on its parameters. */
  async queryUnprepared<T = Record<string, unknown>>(
    sql: string,
    parameters: unknown[] = [],
  ): Promise<T[]> {
    return (await this.run<T>(sql, parameters)).rows;
  }

  get manager(): EntityManager {
    return running.getStore()?.runner.manager ?? this.dataSource.manager;
  }

  get inTransaction(): boolean {
    return running.getStore()?.transaction !== undefined;
  }

  /** Runs `work` in a transaction. It is repeated after a deadlock or serialisation failure, so it must have no effect but SQL. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await sleep(5 * attempt + Math.random() * 20);
      }
    }
  }

  /** Idle and busy connections of the pool, and the number of callers that wait for one. */
  connections(): { idle: number; busy: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (
      this.dataSource.driver as unknown as { master: Record<string, number> }
    ).master as { totalCount: number; idleCount: number; waitingCount: number };
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  /** Runs `then` after the commit, or immediately outside a transaction. `then` must handle its own errors. */
  afterCommit(then: () => unknown): void {
    const transaction = running.getStore()?.transaction;
    if (transaction) transaction.afterCommit.push(then);
    else then();
  }

  /** As `afterCommit`, and also if nothing tells whether it was committed: for what does no harm without it. */
  afterPossibleCommit(then: () => unknown): void {
    running.getStore()?.transaction?.afterUnknown.push(then);
    this.afterCommit(then);
  }

  /** Runs `then` after a rollback, or immediately outside a transaction. `then` must handle its own errors. */
  afterFailure(then: () => unknown): void {
    const transaction = running.getStore()?.transaction;
    if (transaction) transaction.afterFailure.push(then);
    else then();
  }

  /**
   * A value that a transaction collects under a key; `write` runs before the commit. Undefined outside a transaction. A
   * repeated transaction starts with a new value.
   */
  beforeCommit<T>(
    key: object,
    begin: () => T,
    write: (value: T) => Promise<unknown>,
  ): T | undefined {
    const transaction = running.getStore()?.transaction;
    if (!transaction) return undefined;
    const known = transaction.beforeCommit.get(key);
    if (known) return known.value as T;
    const value = begin();
    transaction.beforeCommit.set(key, { value, write: () => write(value) });
    return value;
  }

  /** For what a replica does not know, such as locks: the work that runs at one is made again at the primary. */
  requirePrimary(): void {
    if (running.getStore()?.isReplica) throw new NeedsPrimaryError();
  }

  /** Sets the statement timeout for the rest of the running transaction. */
  async setStatementTimeout(seconds: number): Promise<void> {
    await this.query(`select set_config('statement_timeout', $1, true)`, [`${seconds}s`]);
  }

  /**
   * Runs the statements of `work` on one connection without a transaction, to a replica if one is given. When the signal aborts, the
   * running statement is cancelled and no further one starts.
   */
  async withConnection<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    replica?: DataSource,
  ): Promise<T> {
    const runner = (replica ?? this.dataSource).createQueryRunner();
    let cancelled: Promise<unknown> | undefined;
    const stop = () => (cancelled = stopStatement(runner));
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      return await running.run({ runner, isReplica: replica !== undefined, signal }, work);
    } finally {
      signal.removeEventListener('abort', stop);
      // A late cancel request would hit the next user of the connection.
      await cancelled;
      await runner.release();
    }
  }

  /** Inside a transaction: when the signal aborts, the running statement is cancelled and `work` fails. */
  async cancelledBy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const held = running.getStore()!;
    let cancelled: Promise<unknown> | undefined;
    const stop = () => (cancelled = stopStatement(held.runner));
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await running.run({ ...held, signal }, work);
    } finally {
      signal.removeEventListener('abort', stop);
      await cancelled;
    }
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const transaction: Transaction = {
      afterCommit: [],
      afterFailure: [],
      afterUnknown: [],
      beforeCommit: new Map(),
    };
    let isCommitting = false;
    try {
      const client = (await runner.connect()) as ClientBase;
      await this.begin(runner, client);
      let result: T;
      try {
        result = await running.run({ runner, transaction }, async () => {
          const done = await work();
          for (const { write } of transaction.beforeCommit.values()) await write();
          return done;
        });
        isCommitting = true;
        const { command } = await client.query('commit');
        // A statement failed, and its error was dropped: Postgres rolls back instead, without an error.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit');
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        const { afterFailure, afterUnknown } = transaction;
        const isUnknown = isCommitting && isConnectionLost(error);
        running.exit(() =>
          [...afterFailure, ...(isUnknown ? afterUnknown : [])].forEach((then) => then()),
        );
        throw error;
      }
      running.exit(() => transaction.afterCommit.forEach((then) => then()));
      return result;
    } finally {
      await runner.release();
    }
  }

  /** Sends both statements in one message, which saves a round trip. */
  private async begin(runner: QueryRunner, client: ClientBase): Promise<void> {
    const limit = this.writeSeconds && `; set local statement_timeout = '${this.writeSeconds}s'`;
    await client.query(`start transaction${limit ?? ''}`);
    // Otherwise TypeORM would start its own transaction in `save`.
    (runner as { isTransactionActive: boolean }).isTransactionActive = true;
  }

  private async run<T>(
    sql: string,
    parameters: unknown[],
    name?: string,
  ): Promise<QueryResult<T & QueryResultRow>> {
    const held = running.getStore();
    held?.signal?.throwIfAborted();
    const runner = held?.runner ?? this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      const result = await client.query<T & QueryResultRow>({
        name,
        text: sql,
        values: parameters,
      });
      held?.signal?.throwIfAborted();
      return result;
    } finally {
      if (!held) await runner.release();
    }
  }
}

async function stopStatement(runner: QueryRunner): Promise<void> {
  await cancel((await runner.connect()) as ClientBase);
}

/** A short statement name. Statements beyond the maximum are not prepared. */
function nameOf(sql: string): string | undefined {
  let name = STATEMENT_NAMES.get(sql);
  if (!name && STATEMENT_NAMES.size < MAX_PREPARED_STATEMENTS)
    STATEMENT_NAMES.set(sql, (name = `s${STATEMENT_NAMES.size}`));
  return name;
}
