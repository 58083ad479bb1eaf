import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config.ts';
import { Log, withIds } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openRedis, queuePrefix, WAIT } from '../redis.ts';
import { Shutdown } from '../shutdown.ts';
import { JOBS, QUEUES, type JobName, type QueueName } from './catalog.ts';
import { FailedJobs } from './failed-jobs.ts';
import { JOB } from './handlers.ts';
import { Jobs } from './queue.ts';

type Handler = (payload: never) => Promise<void>;

/** Timeout for closing the workers. If Redis is unreachable, another worker takes the unacknowledged jobs as stalled. */
const CLOSE_TIMEOUT_MS = 1000;

/** Runs the handlers of queued jobs. Exists in worker processes only. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly handlers = new Map<JobName, Handler>();
  private readonly workers: Worker[] = [];
  private readonly running = new Set<Promise<void>>();
  private connection?: Redis;
  /** Jobs that did not come from Redis, by queue. */
  private readonly here = new Map<QueueName, Set<string>>();
  private count = 0;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly config: Config,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly jobs: Jobs,
    private readonly failed: FailedJobs,
  ) {}

  /** Throws if a job of the catalog has no handler, or two. */
  onApplicationBootstrap(): void {
    for (const [name, handler] of handlersOf<JobName>(
      this.discovery,
      this.scanner,
      this.reflector,
      JOB,
    )) {
      if (this.handlers.has(name)) throw new Error(`two handlers for the job ${name}`);
      this.handlers.set(name, handler as Handler);
    }
    const missing = (Object.keys(JOBS) as JobName[]).filter((name) => !this.handlers.has(name));
    if (missing.length) throw new Error(`no handler for the jobs ${missing.join(', ')}`);
    this.jobs.doesItself((name, payload) => this.runHere(name, payload));
    this.connection = openRedis(this.config, this.log, WAIT);
    for (const [queue, { concurrency }] of Object.entries(QUEUES) as [
      QueueName,
      { concurrency: number },
    ][]) {
      const worker = new Worker(queue, (job) => this.track(this.run(job)), {
        connection: this.connection as never,
        prefix: queuePrefix(this.config),
        concurrency,
        lockDuration: 60_000,
        skipVersionCheck: true,
      });
      worker.on('error', (error) => this.log.debug({ err: error }, 'queue error'));
      // Jobs whose workers ended twice while they ran it; handlers that throw do not fail it.
      worker.on('failed', (job, error) => {
        const payload = job && payloadOf(job);
        if (payload)
          void this.track(this.failed.noteFailed({ name: job.name, queue, payload }, error));
      });
      this.workers.push(worker);
    }
  }

  /** Waits for running jobs, which stop after their current batch, before their dependencies are closed. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    const closed = Promise.allSettled(this.workers.map((w) => w.close()));
    while (this.running.size) await Promise.allSettled(this.running);
    await this.failed.close();
    const timeout = new AbortController();
    await Promise.race([
      closed,
      sleep(CLOSE_TIMEOUT_MS, undefined, timeout).catch(() => undefined),
    ]);
    timeout.abort();
    this.connection?.disconnect();
  }

  /**
   * Without Redis: as many jobs of a queue at a time as from Redis, each once. What is left out now is found by the next sweep. Jobs from
   * Redis that are still running are no hindrance: each row is leased or locked.
   */
  private runHere(name: JobName, payload: object): void {
    const { queue } = JOBS[name];
    const here = this.here.get(queue) ?? new Set();
    this.here.set(queue, here);
    const key = `${name} ${JSON.stringify(payload)}`;
    const isBare = Object.keys(payload).length === 0;
    if (this.shutdown.isStopping || here.size >= QUEUES[queue].concurrency) return;
    if (!isBare && here.has(key)) return;
    const id = isBare ? `${key} ${++this.count}` : key;
    here.add(id);
    void this.track(this.run({ name, data: payload, id: 'here' })).finally(() => here.delete(id));
  }

  private track(job: Promise<void>): Promise<void> {
    const tracked = job.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
    return tracked;
  }

  /** Validates jobs from Redis like other input: a job with an unknown name or an invalid payload is dropped. */
  private async run(job: Pick<Job, 'name' | 'data' | 'id'>): Promise<void> {
    const name = job.name as JobName;
    const payload = payloadOf(job);
    if (!payload) {
      this.log.warn({ jobId: job.id }, 'dropped a job with an unknown name or invalid payload');
      return;
    }
    const started = performance.now();
    const observe = (result: 'done' | 'failed') =>
      this.metrics.job(name, result, (performance.now() - started) / 1000);
    // The payload contains only ids, which are useful in log lines.
    await withIds({ job: name, jobId: job.id, ...payload }, async () => {
      try {
        await this.handlers.get(name)!(payload as never);
        observe('done');
        this.failed.noteDone(name, payload);
      } catch (error) {
        observe('failed');
        this.log.error({ err: error }, 'Job failed; the sweep will retry.');
        await this.failed.noteFailed({ name, payload, queue: JOBS[name].queue }, error);
      }
    });
  }
}

function payloadOf({ name, data }: Pick<Job, 'name' | 'data'>): object | undefined {
  return Object.hasOwn(JOBS, name) ? JOBS[name as JobName].payload.safeParse(data).data : undefined;
}

/** All provider methods with a metadata key: its value, the bound method and its name. */
export function* handlersOf<V>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  reflector: Reflector,
  key: string,
): Generator<[V, (payload?: unknown) => Promise<unknown>, string]> {
  for (const { instance } of discovery.getProviders()) {
    if (!instance || typeof instance !== 'object') continue;
    for (const method of scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
      const callable = (instance as Record<string, (...a: unknown[]) => Promise<unknown>>)[method]!;
      const value = reflector.get<V | undefined>(key, callable);
      if (value !== undefined)
        yield [value, callable.bind(instance), `${instance.constructor.name}.${method}`];
    }
  }
}
