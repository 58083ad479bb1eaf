import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { Log } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FAIL_FAST, openRedis, queuePrefix, redisPrefix } from '../redis.ts';
import { JOBS, QUEUES, type JobName, type JobPayload, type QueueName } from './catalog.ts';

/** Jobs without a payload are interchangeable, so more than this many are not queued at a time. */
const MAX_BARE_JOBS = 16;
/** One line at once, then one in this time: a Redis without memory refuses every job. */
const LOG_MS = 60_000;
/** `enqueueOnce` adds one job per payload in this interval. */
const ENQUEUE_ONCE_MS = 10_000;

/** Redis may take a command and not answer. A job that is added after all is done twice, which has no effect. */
const ADD_TIMEOUT_MS = 1000;
async function inTime(added: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ADD_TIMEOUT_MS, 'late', timer).catch(() => undefined);
  try {
    if ((await Promise.race([added, late])) === 'late') throw new Error('Redis does not answer');
  } finally {
    timer.abort();
  }
}

/**
 * Enqueues jobs after the commit of the running transaction, without blocking the request. A job may be lost, since every
 * fact is a row and the sweeps find due work. Without Redis, a worker does itself what it would enqueue. Equal jobs within a few milliseconds are merged.
 */
@Injectable()
export class Jobs implements OnApplicationShutdown {
  enqueueFailures = 0;
  private loggedAt = -Infinity;
  private readonly probe: string;
  private readonly connection: Redis;
  private runs?: (name: JobName, payload: object) => void;
  private readonly queues = new Map<QueueName, Queue>();
  private readonly slots = new Map<JobName, number>();
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; add: () => Promise<void> }>();

  constructor(
    config: Config,
    private readonly db: Db,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    this.connection = openRedis(config, log, FAIL_FAST);
    this.probe = `${redisPrefix(config)}ready`;
    for (const name of Object.keys(QUEUES) as QueueName[]) {
      const queue = new Queue(name, {
        connection: this.connection as never,
        prefix: queuePrefix(config),
        skipVersionCheck: true,
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
      });
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    this.registerMetrics();
  }

  /** In a worker: what does a job that Redis does not take. */
  doesItself(run: (name: JobName, payload: object) => void): void {
    this.runs = run;
  }

  enqueue<N extends JobName>(name: N, payload: JobPayload<N>): void {
    this.enqueueAs(name, payload);
  }

  /** For sweeps, which run repeatedly: adds one job in ten seconds, however long the job waits in the queue. */
  enqueueOnce<N extends JobName>(name: N, payload: JobPayload<N>): void {
    const interval = Math.floor(Date.now() / ENQUEUE_ONCE_MS);
    this.enqueueAs(name, payload, `${name} ${Object.values(payload).join(' ')} ${interval}`);
  }

  private enqueueAs<N extends JobName>(name: N, payload: JobPayload<N>, jobId?: string): void {
    this.db.afterCommit(() => {
      const key = `${name} ${JSON.stringify(payload)}`;
      if (this.waiting.has(key)) return;
      const add = () => {
        this.waiting.delete(key);
        return this.add(name, payload, jobId);
      };
      this.waiting.set(key, { timer: setTimeout(() => void add(), 5), add });
    });
  }

  private registerMetrics(): void {
    this.metrics.gauge('queue_jobs', 'Jobs in Redis', ['queue', 'state'], async () => {
      const counts = [...this.queues].map(async ([queue, jobs]) => {
        const states = await jobs.getJobCounts('wait', 'active', 'failed');
        return Object.entries(states).map(([state, value]) => ({
          labels: { queue, state },
          value,
        }));
      });
      return (await Promise.all(counts)).flat();
    });
  }

  /** Whether Redis takes jobs: one that has no memory left, or cannot write its log, still answers. */
  async ready(): Promise<boolean> {
    return (await this.connection.set(this.probe, 1, 'EX', 60).catch(() => null)) === 'OK';
  }

  async onApplicationShutdown(): Promise<void> {
    const last = [...this.waiting.values()];
    for (const { timer } of last) clearTimeout(timer);
    // Flushes pending jobs, so that another worker takes them now and not with the next sweep. Without Redis they would wait for it.
    if (this.connection.status === 'ready') await Promise.all(last.map(({ add }) => add()));
    await Promise.allSettled([...this.queues.values()].map((q) => q.close()));
    this.connection.disconnect();
  }

  private async add<N extends JobName>(
    name: N,
    payload: JobPayload<N>,
    jobId?: string,
  ): Promise<void> {
    try {
      // A queue would wait for its first connection.
      if (this.connection.status !== 'ready') throw new Error('Redis is unavailable');
      const isBare = Object.keys(payload).length === 0;
      const id = isBare ? `${name} ${this.nextSlot(name)}` : jobId;
      const added = this.queues.get(JOBS[name].queue)!.add(name, payload, id ? { jobId: id } : {});
      await inTime(added);
    } catch (error) {
      this.enqueueFailures++;
      this.metrics.enqueueFailed();
      this.logFailure(error, name);
      this.runs?.(name, payload);
    }
  }

  private logFailure(error: unknown, job: JobName): void {
    const fields = { err: error, job, failures: this.enqueueFailures };
    const text = 'Enqueue failed; the sweep will retry.';
    if (performance.now() - this.loggedAt < LOG_MS) return this.log.debug(fields, text);
    this.loggedAt = performance.now();
    this.log.warn(fields, text);
  }

  private nextSlot(name: JobName): number {
    const slot = ((this.slots.get(name) ?? -1) + 1) % MAX_BARE_JOBS;
    this.slots.set(name, slot);
    return slot;
  }
}
