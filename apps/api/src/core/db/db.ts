import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

interface Running {
  runner: QueryRunner;
  afterCommit: (() => unknown)[];
}

/** Serialisation failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const TRIES = 5;
const PREPARED_AT_MOST = 500;

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
  private readonly names = new Map<string, string>();

  constructor(readonly dataSource: DataSource) {}

  /** Rows of one statement, in the running transaction if there is one. Each connection prepares it once and keeps its plan. */
  async query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.run<T>(sql, parameters, this.nameOf(sql))).rows;
  }

  /** How many rows a statement touched. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters, this.nameOf(sql))).rowCount ?? 0;
  }

  /** Rows of a statement whose text was put together for one question, and whose plan depends on what is asked for. */
  async ask<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.run<T>(sql, parameters)).rows;
  }

  get manager(): EntityManager {
    return this.running.getStore()?.runner.manager ?? this.dataSource.manager;
  }

  get inTransaction(): boolean {
    return this.running.getStore() !== undefined;
  }

  /** Runs `work` in a transaction. A deadlock or serialisation failure repeats the whole of it, so it has no effect but SQL. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt >= TRIES || !RETRIED.has((error as { code?: string }).code ?? '')) throw error;
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
    const running = this.running.getStore();
    if (running) running.afterCommit.push(then);
    else then();
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const running: Running = { runner, afterCommit: [] };
    try {
      await runner.startTransaction();
      const result = await this.running.run(running, work);
      await runner.commitTransaction();
      this.running.exit(() => running.afterCommit.forEach((then) => then()));
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private async run<T>(
    sql: string,
    parameters: unknown[],
    name?: string,
  ): Promise<QueryResult<T & QueryResultRow>> {
    const running = this.running.getStore();
    const runner = running?.runner ?? this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      return await client.query<T & QueryResultRow>({ name, text: sql, values: parameters });
    } finally {
      if (!running) await runner.release();
    }
  }

  /** A short name for a text. Texts are constants but for some shapes of batches; should they ever grow, the rest goes without. */
  private nameOf(sql: string): string | undefined {
    let name = this.names.get(sql);
    if (!name && this.names.size < PREPARED_AT_MOST)
      this.names.set(sql, (name = `s${this.names.size}`));
    return name;
  }
}
