import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { cancel } from '../../core/db/cancel.ts';
import { Db } from '../../core/db/db.ts';
import type { ReportRow } from '@heliograph/contract';

/** Settings of the transaction that reads a report. */
export interface ReadSettings {
  timeZone: string;
  dateStyle: string;
  /** Filled into `report_operators` if the statement reads it. */
  operators?: OperatorRange[];
  signal: AbortSignal;
}

/** The first number of a range of phone numbers, 15 digits, and the operator up to the next one. */
export interface OperatorRange {
  start: string;
  name: string | null;
  country: string | null;
  mccmnc: string | null;
}

/** Memory of a sort or a hash table of a report. */
const WORK_MEM = '64MB';

/** Reads the rows of reports. */
@Injectable()
export class ReportRowsStore {
  constructor(private readonly db: Db) {}

  /** The rows of a small report, in UTC. */
  rows(statement: string, operators?: OperatorRange[]): Promise<ReportRow[]> {
    if (!operators) return this.db.queryUnprepared<ReportRow>(statement);
    return this.db.transaction(async () => {
      const client = (await this.db.manager.queryRunner!.connect()) as PoolClient;
      await fillOperators(client, operators);
      return this.db.queryUnprepared<ReportRow>(statement);
    });
  }

  /**
   * The output of a COPY of `select` in chunks of any length, from one snapshot on a connection of its own. The estimated
   * number of rows is reported first. When the signal aborts, the statement is cancelled and the generator throws.
   */
  async *copy(
    select: string,
    options: string,
    settings: ReadSettings,
    onEstimate: (rows: number) => void,
  ): AsyncGenerator<Buffer> {
    const { signal } = settings;
    const runner = this.db.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    let cancelled: Promise<unknown> | undefined;
    const stop = () => (cancelled = cancel(client));
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await begin(client, settings);
      onEstimate(await estimate(client, select));
      const stream = client.query(copyTo(`copy (${select}) to stdout (${options})`));
      let isOver = false;
      try {
        for await (const chunk of stream.iterator({
          destroyOnReturn: false,
        }) as AsyncIterable<Buffer>) {
          // What Postgres sent before it was cancelled is read and dropped, so that the connection can be used again.
          if (!signal.aborted) yield chunk;
        }
        isOver = true;
      } finally {
        if (!isOver) await drain(stream, stop);
      }
      signal.throwIfAborted();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      // A late cancel request would hit the next user of the connection.
      await cancelled;
      await runner.release();
    }
  }
}

async function begin(
  client: PoolClient,
  { timeZone, dateStyle, operators }: ReadSettings,
): Promise<void> {
  await client.query('start transaction isolation level repeatable read');
  await client.query(
    // The workers' connections avoid sequential scans, which a report over most rows of a table needs.
    `select set_config('timezone', $1, true), set_config('datestyle', $2, true), set_config('work_mem', '${WORK_MEM}', true),
            set_config('enable_seqscan', 'on', true), set_config('jit', 'off', true)`,
    [timeZone, dateStyle],
  );
  if (operators) await fillOperators(client, operators);
}

async function fillOperators(client: PoolClient, operators: OperatorRange[]): Promise<void> {
  await client.query(
    `create temp table report_operators (
       start text collate "C" primary key, name text, country text, mccmnc text) on commit drop`,
  );
  const column = <K extends keyof OperatorRange>(name: K) => operators.map((range) => range[name]);
  await client.query(
    `insert into report_operators select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
    [column('start'), column('name'), column('country'), column('mccmnc')],
  );
  await client.query('analyze report_operators');
}

async function estimate(client: PoolClient, select: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    `explain (format json) ${select}`,
  );
  return Math.round(rows[0]!['QUERY PLAN'][0]!.Plan['Plan Rows']);
}

/** Ends a COPY whose reader stopped early. */
async function drain(stream: NodeJS.ReadableStream, stop: () => unknown): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stream.once('error', () => resolve());
    stream.once('end', () => resolve());
  });
  if ((stream as { readableEnded?: boolean; errored?: unknown }).errored) return;
  await stop();
  stream.resume();
  await ended;
}
