import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Log } from '../../../core/log.ts';
import { WriteBehind } from '../../../core/write-behind.ts';
import { EmailSettingsService } from '../../email-settings/email-settings.service.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { OpensStore } from './opens.store.ts';

/** Messages of one transaction. */
const MAX_AT_ONCE = 500;
/** Messages that wait at most while the database is away. */
const MAX_WAITING = 50_000;
/** Of those that were written so many are known, for so long: to load their images again costs nothing. */
const MAX_KNOWN = 50_000;
const KNOWN_MS = 600_000;

/** E-mails that are opened become `seen`, once a second those of all accounts together, as reports of carriers do. */
@Injectable()
export class Opens extends WriteBehind {
  /** When each was opened first. */
  private readonly waiting = new Map<string, Date>();
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly store: OpensStore,
    private readonly settings: EmailSettingsService,
    private readonly reports: ReportsService,
  ) {
    super();
  }

  add(SendingId: string): void {
    if (this.known.has(SendingId) || this.waiting.has(SendingId)) return;
    if (this.waiting.size < MAX_WAITING) this.waiting.set(SendingId, this.clock.now());
  }

  protected async write(): Promise<void> {
    while (this.waiting.size) {
      const opened = [...this.waiting].slice(0, MAX_AT_ONCE);
      try {
        await this.record(new Map(opened));
      } catch (error) {
        this.log.warn({ err: error }, 'failed to write which e-mails were opened');
        return;
      }
      for (const [id] of opened) {
        this.known.set(id, true);
        this.waiting.delete(id);
      }
    }
  }

  /** An account that has switched it off is told nothing of earlier e-mails either. */
  private record(opened: ReadonlyMap<string, Date>): Promise<void> {
    return this.db.transaction(async () => {
      const unseen = await this.store.unseen([...opened.keys()]);
      if (!unseen.length) return;
      const telling = await this.settings.tellingOpened(unseen.map(({ OwnerId }) => OwnerId));
      const told = unseen.filter(({ OwnerId }) => telling.has(OwnerId));
      await this.reports.apply(told.map(({ id }) => ({ id, status: 'seen', at: opened.get(id)! })));
    });
  }
}
