import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Log } from '../../core/log.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import { LinksStore } from './links.store.ts';

/** Counts clicks in memory and writes those of all links once a second in one statement. */
@Injectable()
export class Clicks extends WriteBehind {
  private readonly counted = new Map<string, { n: number; at: Date }>();

  constructor(
    private readonly store: LinksStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly log: Log,
  ) {
    super();
  }

  add(id: string): void {
    const n = (this.counted.get(id)?.n ?? 0) + 1;
    this.counted.set(id, { n, at: this.clock.now() });
  }

  protected async write(): Promise<void> {
    if (!this.counted.size) return;
    const rows = [...this.counted];
    this.counted.clear();
    const clicks = {
      ids: rows.map(([id]) => id),
      counts: rows.map(([, { n }]) => n),
      at: rows.map(([, { at }]) => at),
    };
    try {
      // In a transaction, since a deadlock with another process is retried.
      const followed = await this.db.transaction(() => this.store.addClicks(clicks));
      for (const { id, OwnerId } of followed) this.events.changed('links', 'updated', OwnerId, id);
    } catch (error) {
      this.log.warn({ err: error }, 'failed to write clicks');
      for (const [id, { n, at }] of rows)
        this.counted.set(id, { n: n + (this.counted.get(id)?.n ?? 0), at });
    }
  }
}
