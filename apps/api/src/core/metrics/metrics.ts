import { Injectable } from '@nestjs/common';
import { RECEIPT_SECONDS, type OtpChannelType } from '@heliograph/domain';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Config } from '../config.ts';
import { DATABASE_TIME } from '../db/database-clock.ts';
import { Db } from '../db/db.ts';
import type { ReplicaResult } from '../db/replica.ts';
import { Log } from '../log.ts';
import { BUILD, VERSION } from '../version.ts';

/** A gauge that takes longer is omitted from the scrape. */
const COLLECT_TIMEOUT_MS = 2000;
/** Shorter, so that a database that hangs is reported and not omitted. */
const DATABASE_TIMEOUT_MS = 1000;
/** Receipts of the same second, batch and network that are observed one by one. */
const MAX_OBSERVED = 1000;

interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/**
 * Prometheus metrics of this process. Changes of rows are counted where they are written, after the commit, so that a
 * scrape does not count rows. docs/operations.md lists the metrics.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly written = this.counter('messages_total', 'Messages that reached a status', [
    'type',
    'status',
  ]);
  private readonly ledger = this.counter('ledger_operations_total', 'Ledger entries', [
    'operation',
  ]);
  private readonly submitResults = this.counter(
    'channel_messages_total',
    'Results of submitted messages',
    ['channel', 'result'],
  );
  private readonly receipts = this.counter('channel_receipts_total', 'Final receipts of carriers', [
    'channel',
    'status',
  ]);
  private readonly receiptTimes = this.histogram(
    'channel_receipt_seconds',
    'Time from the submit to the final receipt',
    ['channel'],
    [...RECEIPT_SECONDS],
  );
  private readonly otpSessions = this.counter('otp_sessions_total', 'Sessions of one-time codes', [
    'state',
    'type',
  ]);
  private readonly otpRefusals = this.counter(
    'otp_refusals_total',
    'Refused requests of one-time codes',
    ['reason'],
  );
  private readonly replicaReads = this.counter(
    'replica_reads_total',
    'Lists that were asked of the replica',
    ['result'],
  );
  private readonly enqueueFailures = this.counter(
    'enqueue_failures_total',
    'Jobs that Redis did not accept',
    [],
  );
  private readonly uncaughtErrors = this.counter(
    'uncaught_errors_total',
    'Uncaught exceptions and unhandled rejections',
    ['kind'],
  );
  private readonly sizes = this.histogram(
    'batch_size',
    'Messages written or submitted in one batch',
    ['step'],
    [1, 5, 10, 50, 100, 250, 500, 1000],
  );
  private readonly requests = this.histogram(
    'http_request_duration_seconds',
    'Duration of HTTP requests',
    ['method', 'route', 'status'],
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  );
  private readonly jobs = this.histogram(
    'job_duration_seconds',
    'Duration of jobs',
    ['job', 'result'],
    [0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  );

  constructor(
    config: Config,
    private readonly db: Db,
    private readonly log: Log,
  ) {
    for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
      this.uncaughtErrors.inc({ kind }, 0);
    if (!config.METRICS_TOKEN) return;
    this.gauge('build_info', 'Version and build of this process', ['version', 'build'], () =>
      Promise.resolve([{ labels: { version: VERSION, build: BUILD }, value: 1 }]),
    );
    collectDefaultMetrics({ register: this.registry });
    // First: the other gauges need connections themselves.
    this.gauge('database_connections', 'Connections of this process', ['state'], () => {
      const { idle, busy, waiting } = db.connections();
      return Promise.resolve([
        { labels: { state: 'idle' }, value: idle },
        { labels: { state: 'busy' }, value: busy },
        { labels: { state: 'awaited' }, value: waiting },
      ]);
    });
    this.gauge('database_up', 'Whether the database answers', [], () =>
      within(db.query('select 1'), DATABASE_TIMEOUT_MS).then(
        () => [{ value: 1 }],
        () => [{ value: 0 }],
      ),
    );
    this.compareClocks();
  }

  /** Registers how far the clock of this machine is ahead; it is not used, and somebody should set it right. */
  private compareClocks(): void {
    const help = 'How far the clock of this machine is ahead of that of the database';
    this.gauge('clock_ahead_seconds', help, [], async () => {
      const asked = Date.now();
      const [row] = await this.db.query<{ time: number }>(DATABASE_TIME);
      return [{ value: ((asked + Date.now()) / 2 - row!.time) / 1000 }];
    });
  }

  /** Counts messages that the running transaction moves to a status. */
  messages(type: string, status: string, n: number): void {
    this.db.afterCommit(() => this.written.inc({ type, status }, n));
  }

  /** Counts messages of a channel with the result that the running transaction records. */
  submitted(channel: string, result: string, n: number): void {
    this.db.afterCommit(() => this.submitResults.inc({ channel, result }, n));
  }

  /** Counts final receipts of a channel that came so long after the submit. */
  received(channel: string, status: 'delivered' | 'failed', seconds: number, n: number): void {
    this.receipts.inc({ channel, status }, n);
    for (let i = 0; i < Math.min(n, MAX_OBSERVED); i++)
      this.receiptTimes.observe({ channel }, seconds);
  }

  /** Entries that the running transaction writes or turns. */
  entries(operation: 'charge' | 'refund' | 'manual', n: number): void {
    if (n) this.db.afterCommit(() => this.ledger.inc({ operation }, n));
  }

  /** Observes the batch size of a step. */
  batch(step: 'created' | 'submitted' | 'reported', n: number): void {
    this.db.afterCommit(() => this.sizes.observe({ step }, n));
  }

  /** Counts a session that the running transaction starts or ends. */
  otpSession(state: 'started' | 'confirmed' | 'expired' | 'closed', type: OtpChannelType): void {
    this.db.afterCommit(() => this.otpSessions.inc({ state, type }));
  }

  /** Counts a refusal, which rolls its transaction back. */
  otpRefused(reason: string): void {
    this.otpRefusals.inc({ reason });
  }

  replicaRead(result: ReplicaResult): void {
    this.replicaReads.inc({ result });
  }

  enqueueFailed(): void {
    this.enqueueFailures.inc();
  }

  uncaught(kind: 'uncaughtException' | 'unhandledRejection'): void {
    this.uncaughtErrors.inc({ kind });
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
  }

  job(job: string, result: 'done' | 'failed', seconds: number): void {
    this.jobs.observe({ job, result }, seconds);
  }

  /** The samples of a gauge now; none if they cannot be had. */
  async samples(name: string): Promise<Sample[]> {
    const gauge = this.registry.getSingleMetric(`heliograph_${name}`);
    const { values } = gauge ? await gauge.get() : { values: [] };
    return values.map(({ labels, value }) => ({
      labels: labels as Record<string, string>,
      value: Number(value),
    }));
  }

  /** Registers a gauge whose samples are collected at each scrape. */
  gauge(
    name: string,
    help: string,
    labelNames: string[],
    collectSamples: () => Promise<Sample[]>,
  ): void {
    const { log } = this;
    const gauge = new Gauge({
      ...this.named(name, help, labelNames),
      async collect() {
        gauge.reset();
        try {
          for (const { labels = {}, value } of await within(collectSamples()))
            gauge.set(labels, value);
        } catch (error) {
          log.warn({ err: error, metric: name }, 'failed to collect a metric');
        }
      },
    });
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter(this.named(name, help, labelNames));
  }

  private histogram(
    name: string,
    help: string,
    labelNames: string[],
    buckets: number[],
  ): Histogram {
    return new Histogram({ ...this.named(name, help, labelNames), buckets });
  }

  private named(name: string, help: string, labelNames: string[]) {
    return { name: `heliograph_${name}`, help, labelNames, registers: [this.registry] };
  }
}

function within<T>(work: Promise<T>, ms = COLLECT_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
