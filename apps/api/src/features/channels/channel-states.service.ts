import { Injectable } from '@nestjs/common';
import { ChannelDown, UnknownOutcome } from '../../channels/channel.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Log } from '../../core/log.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import { ChannelsStore, type ChannelNews } from './channels.store.ts';

const MAX_ERROR = 300;

/**
 * How channels do, gathered in memory and written once a second in one statement, so that a handover costs none of its own. A
 * process that is killed takes its last second along.
 */
@Injectable()
export class ChannelStatesService extends WriteBehind {
  private readonly gathered = new Map<string, ChannelNews>();

  constructor(
    private readonly store: ChannelsStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  /** The driver took so many messages. */
  submitted(channel: string, count: number): void {
    const news = this.of(channel);
    news.submitted += count;
    news.submittedAt = this.clock.now();
    news.isFailing = false;
  }

  /** A handover failed as a whole. What a driver throws that is no ChannelDown or UnknownOutcome may quote anything, so it is named only. */
  failed(channel: string, error: unknown): void {
    const news = this.of(channel);
    const isForeign = !(error instanceof ChannelDown || error instanceof UnknownOutcome);
    const text = isForeign ? `the driver failed: ${(error as Error)?.name}` : error.message;
    news.error = text.slice(0, MAX_ERROR);
    news.errorAt = this.clock.now();
    news.isFailing = true;
  }

  /** A delivery report came. */
  reported(channel: string): void {
    this.of(channel).reportedAt = this.clock.now();
  }

  private of(channel: string): ChannelNews {
    const news = this.gathered.get(channel) ?? { ...NOTHING, channel };
    this.gathered.set(channel, news);
    return news;
  }

  protected async write(): Promise<void> {
    if (!this.gathered.size) return;
    const news = [...this.gathered.values()];
    this.gathered.clear();
    try {
      await this.db.transaction(() => this.store.addNews(news));
    } catch (error) {
      this.log.warn({ err: error }, 'the states of channels were not written');
      for (const former of news) {
        const later = this.gathered.get(former.channel);
        const known = Object.entries(later ?? {}).filter(([, value]) => value !== null);
        const submitted = former.submitted + (later?.submitted ?? 0);
        this.gathered.set(former.channel, { ...former, ...Object.fromEntries(known), submitted });
      }
    }
  }
}

const NOTHING: Omit<ChannelNews, 'channel'> = {
  isFailing: null,
  error: null,
  errorAt: null,
  submitted: 0,
  submittedAt: null,
  reportedAt: null,
};
