import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Log } from '../../core/log.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import type { ClickRecipient } from './click-codes.service.ts';
import { ClickCodesStore, type RecipientClicks } from './click-codes.store.ts';
import { LinksStore } from './links.store.ts';

/** Visits of a link since the last write. */
interface Visits {
  clicks: number;
  previews: number;
  /** Time of the last click. */
  at: Date | null;
}

/** Clicks of one recipient since the last write. */
interface RecipientVisits extends ClickRecipient {
  link: string;
  clicks: number;
  firstAt: Date;
  lastAt: Date;
}

/** Recipients that are kept at most while the database is away; clicks of others count for their link. */
const MAX_RECIPIENTS = 50_000;

/** Counts clicks, and apart from them previews, in memory and writes those of all links once a second in one statement. */
@Injectable()
export class Clicks extends WriteBehind {
  private readonly counted = new Map<string, Visits>();
  private readonly recipients = new Map<string, RecipientVisits>();

  constructor(
    private readonly store: LinksStore,
    private readonly codes: ClickCodesStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly log: Log,
  ) {
    super();
  }

  /** A click of a recipient, if the link tells whose. */
  add(id: string, recipient: ClickRecipient | null = null): void {
    const at = this.clock.now();
    this.count(id, { clicks: 1, previews: 0, at });
    if (recipient)
      this.countRecipient({ ...recipient, link: id, clicks: 1, firstAt: at, lastAt: at });
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

  private countRecipient(visits: RecipientVisits): void {
    const { link, task, number, clicks, firstAt, lastAt } = visits;
    const key = `${link} ${task} ${number}`;
    const known = this.recipients.get(key);
    if (!known && this.recipients.size >= MAX_RECIPIENTS) return;
    if (!known) return void this.recipients.set(key, visits);
    known.clicks += clicks;
    if (firstAt < known.firstAt) known.firstAt = firstAt;
    if (lastAt > known.lastAt) known.lastAt = lastAt;
  }

  protected async write(): Promise<void> {
    if (!this.counted.size) return;
    const rows = [...this.counted];
    const recipients = [...this.recipients.values()];
    this.counted.clear();
    this.recipients.clear();
    const clicks = {
      ids: rows.map(([id]) => id),
      clicks: rows.map(([, visits]) => visits.clicks),
      previews: rows.map(([, visits]) => visits.previews),
      at: rows.map(([, { at }]) => at),
    };
    try {
      // In a transaction, since a deadlock with another process is retried.
      const { followed, tasks } = await this.db.transaction(async () => ({
        followed: await this.store.addClicks(clicks),
        tasks: recipients.length ? await this.codes.addClicks(columnsOf(recipients)) : [],
      }));
      for (const { id, OwnerId } of followed) this.events.changed('links', 'updated', OwnerId, id);
      for (const [taskId, OwnerId] of new Map(tasks.map((one) => [one.taskId, one.OwnerId])))
        this.events.changed('tasks', 'updated', OwnerId, taskId);
    } catch (error) {
      this.log.warn({ err: error }, 'failed to write clicks');
      for (const [id, visits] of rows) this.count(id, visits);
      for (const visits of recipients) this.countRecipient(visits);
    }
  }
}

const columnsOf = (rows: RecipientVisits[]): RecipientClicks => ({
  links: rows.map(({ link }) => link),
  tasks: rows.map(({ task }) => task),
  numbers: rows.map(({ number }) => number),
  clicks: rows.map(({ clicks }) => clicks),
  firstAt: rows.map(({ firstAt }) => firstAt),
  lastAt: rows.map(({ lastAt }) => lastAt),
});
