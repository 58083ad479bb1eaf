import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { Config } from '../config.ts';
import { Log, withIds } from '../log.ts';
import { Shutdown } from '../shutdown.ts';
import { SWEEP } from './handlers.ts';
import { NamedLocks } from '../db/locks.ts';
import { ProcessReports } from '../process-reports.ts';
import { handlersOf } from './runner.ts';

const TICK_MS = 250;
/** A sweep that keeps finding work releases its lock after this time. */
const MAX_RUN_MS = 1000;

interface Sweep {
  name: string;
  every: number;
  due: number;
  run: () => Promise<unknown>;
}

/**
 * Runs sweeps in every worker. Each sweep has its own lock, so it runs in one worker at a time and does not block the
 * others when it takes long or fails.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private sweeps: Sweep[] = [];
  private timer?: NodeJS.Timeout;
  private ticking?: Promise<void>;
  private readonly running = new Map<Sweep, Promise<void>>();
  private readonly locks: NamedLocks;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    config: Config,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
    private readonly reports: ProcessReports,
  ) {
    this.locks = new NamedLocks(config.directUrl);
  }

  onApplicationBootstrap(): void {
    for (const [every, run, name] of handlersOf<number>(
      this.discovery,
      this.scanner,
      this.reflector,
      SWEEP,
    )) {
      this.sweeps.push({ name, every, due: 0, run });
    }
    this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    clearTimeout(this.timer);
    await this.ticking;
    await Promise.all(this.running.values());
    await this.locks.close();
  }

  private schedule(): void {
    if (this.shutdown.isStopping) return;
    this.timer = setTimeout(() => {
      this.ticking = this.tick()
        .catch((error: unknown) => this.log.warn({ err: error }, 'failed to start sweeps'))
        .finally(() => this.schedule());
    }, TICK_MS);
  }

  /** Sends a statement even if nothing is due, since Postgres ends idle sessions and releases their locks. */
  private async tick(): Promise<void> {
    const now = performance.now();
    const due = this.sweeps.filter((sweep) => sweep.due <= now && !this.running.has(sweep));
    const taken = new Set(await this.locks.take(due.map(({ name }) => name)));
    for (const sweep of due.filter(({ name }) => taken.has(name))) {
      const run = withIds({ sweep: sweep.name }, () => this.run(sweep));
      this.running.set(
        sweep,
        run.finally(() => this.running.delete(sweep)),
      );
    }
  }

  /** Never throws. */
  private async run(sweep: Sweep): Promise<void> {
    const startedAt = performance.now();
    sweep.due = startedAt + sweep.every;
    let failure: unknown = null;
    try {
      while (!this.shutdown.isStopping && (await sweep.run()) === true) {
        if (performance.now() < startedAt + MAX_RUN_MS) continue;
        sweep.due = 0;
        break;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'sweep failed');
      failure = error ?? 'unknown';
    }
    this.reports.sweepRan(sweep.name, performance.now() - startedAt, failure);
    await this.locks.release(sweep.name);
  }
}
