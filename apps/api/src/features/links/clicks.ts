import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Log } from '../../core/log.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import { LinksStore } from './links.store.ts';

/** Visits of a link since the last write. */
interface Visits {
  clicks: number;
  previews: number;
  /** Time of the last click. */
  at: Date | null;
}

/** Counts clicks, and apart from them previews, in memory and writes those of all links once a second in one statement. */
@Injectable()
export class Clicks extends WriteBehind {
  private readonly counted = new Map<string, Visits>();

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
    this.count(id, { clicks: 1, previews: 0, at: this.clock.now() });
  }

  /** A visit of a program that shows or checks the link. */
  addPreview(id: string): void {
    this.count(id, { clicks: 0, previews: 1, at: null });
  }

  private count(id: string, { clicks, previews, at }: Visits): void {
    const known = this.counted.get(id);
    this.counted.set(id, {
      clicks: (known?.clicks ?? 0) + clicks,
      previews: (known?.previews ?? 0) + previews,
      at: at ?? known?.at ?? null,
    });
  }

  protected async write(): Promise<void> {
    if (!this.counted.size) return;
    const rows = [...this.counted];
    this.counted.clear();
    const clicks = {
      ids: rows.map(([id]) => id),
      clicks: rows.map(([, visits]) => visits.clicks),
      previews: rows.map(([, visits]) => visits.previews),
      at: rows.map(([, { at }]) => at),
    };
    try {
      // In a transaction, since a deadlock with another process is retried.
      const followed = await this.db.transaction(() => this.store.addClicks(clicks));
      for (const { id, OwnerId } of followed) this.events.changed('links', 'updated', OwnerId, id);
    } catch (error) {
      this.log.warn({ err: error }, 'failed to write clicks');
      for (const [id, visits] of rows) this.count(id, visits);
    }
  }
}
