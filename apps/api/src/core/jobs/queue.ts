import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { Log } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FAIL_FAST, openRedis } from '../redis.ts';
import { JOBS, QUEUES, type JobName, type JobPayload, type QueueName } from './catalog.ts';

/** So many rings that name nothing wait or run at a time: one more would find only what those find. */
const AT_MOST = 16;
const AGAIN_MS = 10_000;

/**
 * Rings. A ring never blocks a request and may be lost: every fact is a row, and the sweep finds what is due.
 * Rings wait for the commit by themselves; the same ring within a few milliseconds is one.
 */
@Injectable()
export class Jobs implements OnApplicationShutdown {
  /** Rings that Redis did not take. */
  enqueueFailures = 0;
  private readonly connection: Redis;
  private readonly queues = new Map<QueueName, Queue>();
  private readonly turns = new Map<JobName, number>();
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; add: () => Promise<void> }>();

  constructor(
    config: Config,
    private readonly db: Db,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    this.connection = openRedis(config, log, FAIL_FAST);
    for (const name of Object.keys(QUEUES) as QueueName[]) {
      const queue = new Queue(name, {
        connection: this.connection as never,
        skipVersionCheck: true,
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
      });
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    this.tell();
  }

  enqueue<N extends JobName>(name: N, payload: JobPayload<N>): void {
    this.enqueueAs(name, payload);
  }

  /** Of a sweep, which comes again: in ten seconds one, however long what it rings for stands in line. */
  enqueueOnce<N extends JobName>(name: N, payload: JobPayload<N>): void {
    const turn = Math.floor(Date.now() / AGAIN_MS);
    this.enqueueAs(name, payload, `${name} ${Object.values(payload).join(' ')} ${turn}`);
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

  private tell(): void {
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

  async ready(): Promise<boolean> {
    return (await this.connection.ping().catch(() => null)) === 'PONG';
  }

  async onApplicationShutdown(): Promise<void> {
    // What the last jobs left to be done goes to another worker now and not with the next sweep.
    const last = [...this.waiting.values()].map(({ timer, add }) => {
      clearTimeout(timer);
      return add();
    });
    await Promise.all(last);
    await Promise.allSettled([...this.queues.values()].map((q) => q.close()));
    this.connection.disconnect();
  }

  private async add<N extends JobName>(
    name: N,
    payload: JobPayload<N>,
    jobId?: string,
  ): Promise<void> {
    try {
      const isBare = Object.keys(payload).length === 0;
      const id = isBare ? `${name} ${this.turnOf(name)}` : jobId;
      await this.queues.get(JOBS[name].queue)!.add(name, payload, id ? { jobId: id } : {});
    } catch (error) {
      this.enqueueFailures++;
      this.metrics.enqueueFailed();
      this.log.warn(
        { err: error, job: name, failures: this.enqueueFailures },
        'a ring was lost; the sweep will find the work',
      );
    }
  }

  private turnOf(name: JobName): number {
    const turn = ((this.turns.get(name) ?? -1) + 1) % AT_MOST;
    this.turns.set(name, turn);
    return turn;
  }
}
