import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Log } from '../../core/log.ts';
import { LinksStore } from './links.store.ts';

const EVERY_MS = 1000;

/**
 * Counts in memory and writes once a second, all links in one statement: a bulk that is opened by thousands at once costs
 * no statement each. A process that is killed takes the clicks of its last second along.
 */
@Injectable()
export class Clicks implements OnModuleInit, OnApplicationShutdown {
  private readonly counted = new Map<string, { n: number; at: Date }>();
  private timer: NodeJS.Timeout;
  private writing = Promise.resolve();

  constructor(
    private readonly store: LinksStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), EVERY_MS);
    this.timer.unref();
  }

  add(id: string): void {
    const n = (this.counted.get(id)?.n ?? 0) + 1;
    this.counted.set(id, { n, at: this.clock.now() });
  }

  /** Writes what was counted. While the database is away it stays counted. */
  flush(): Promise<void> {
    return (this.writing = this.writing.then(() => this.write()));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async write(): Promise<void> {
    if (!this.counted.size) return;
    const rows = [...this.counted];
    this.counted.clear();
    const clicks = {
      ids: rows.map(([id]) => id),
      counts: rows.map(([, { n }]) => n),
      at: rows.map(([, { at }]) => at),
    };
    try {
      // Two processes may meet in the same rows: a transaction is repeated.
      await this.db.transaction(() => this.store.addClicks(clicks));
    } catch (error) {
      this.log.warn({ err: error }, 'clicks were not written');
      for (const [id, { n, at }] of rows)
        this.counted.set(id, { n: n + (this.counted.get(id)?.n ?? 0), at });
    }
  }
}
