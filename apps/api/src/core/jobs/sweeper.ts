import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { Db } from '../db/db.ts';
import { Log, withIds } from '../log.ts';
import { Shutdown } from '../shutdown.ts';
import { SWEEP } from './handlers.ts';
import { handlersOf } from './runner.ts';

const TICK_MS = 250;
const BEAT_MS = 2000;
const LOCK = 7_205_759;

interface Sweep {
  name: string;
  every: number;
  due: number;
  run: () => Promise<void>;
}

/**
 * A timer in every worker, one of which sweeps at a time. The lock lives in a transaction that Postgres ends by itself
 * when its process stands still, so a stopped worker does not keep the others from sweeping.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private sweeps: Sweep[] = [];
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly db: Db,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
  ) {}

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
    await this.running;
  }

  private schedule(): void {
    if (this.shutdown.isStopping) return;
    this.timer = setTimeout(() => {
      this.running = this.tick()
        .catch((error: unknown) => this.log.warn({ err: error }, 'a sweep failed'))
        .finally(() => this.schedule());
    }, TICK_MS);
  }

  private async tick(): Promise<void> {
    const due = this.sweeps.filter((s) => s.due <= performance.now());
    if (!due.length) return;
    const runner = this.db.dataSource.createQueryRunner();
    let beat: NodeJS.Timeout | undefined;
    try {
      await runner.startTransaction();
      await runner.query(`set local idle_in_transaction_session_timeout = '10s'`);
      const [lock] = (await runner.query(`select pg_try_advisory_xact_lock(${LOCK}) as got`)) as {
        got: boolean;
      }[];
      if (lock?.got) {
        // A sweep may take longer than the limit: as long as the process lives it says so.
        beat = setInterval(() => void runner.query('select 1').catch(() => undefined), BEAT_MS);
        for (const sweep of due) {
          if (this.shutdown.isStopping) break;
          sweep.due = performance.now() + sweep.every;
          await withIds({ sweep: sweep.name }, () =>
            sweep.run().catch((error: unknown) => this.log.warn({ err: error }, 'a sweep failed')),
          );
        }
      }
      clearInterval(beat);
      await runner.commitTransaction();
    } finally {
      clearInterval(beat);
      await runner.release().catch(() => undefined);
    }
  }
}
