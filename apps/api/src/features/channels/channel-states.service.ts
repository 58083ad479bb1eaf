import { Injectable } from '@nestjs/common';
import { channelPause } from '@heliograph/domain';
import { ChannelDown, UnknownOutcome } from '../../channels/channel.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Log } from '../../core/log.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import { ChannelsStore, type ChannelStateChange } from './channels.store.ts';

const MAX_ERROR = 300;

/**
 * States of channels, collected in memory and written once a second in one statement, so that a submit needs no statement of its own.
 * A process that is killed loses the last second.
 */
@Injectable()
export class ChannelStatesService extends WriteBehind {
  private readonly collected = new Map<string, ChannelStateChange>();

  constructor(
    private readonly store: ChannelsStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  /** The driver accepted `count` messages. */
  submitted(channel: string, count: number): void {
    const change = this.changeOf(channel);
    change.submitted += count;
    change.submittedAt = this.clock.now();
    change.isFailing = false;
  }

  /**
   * The carrier takes nothing: no call is made for a while, which grows with every probe that fails. Written at once, because all workers
   * go by it. Several calls that were under way together tell one thing, whenever each of them began: the first of them counts.
   */
  async down(channel: string, error: ChannelDown, isProbe: boolean): Promise<void> {
    this.failed(channel, error);
    const now = this.clock.now();
    await this.db.transaction(async () => {
      const failures = await this.store.countFailure(channel, isProbe, now);
      if (failures === null) return;
      const asked = error.isAsked ? error.retryAfter / 1000 : 0;
      await this.store.leaveAlone(
        channel,
        secondsAfter(now, Math.max(channelPause(failures), asked)),
      );
    });
  }

  /** The carrier has answered the call that was made to find out. */
  up(channel: string): Promise<void> {
    return this.store.clearFailures(channel);
  }

  /** The carrier was told where to post. A former failure to do so is over; one of submits, for which the channel is left alone, is not. */
  told(channel: string): Promise<void> {
    return this.store.clearError(channel);
  }

  /** A submit failed as a whole. Unexpected errors of a driver may contain secrets, so only their name is stored. */
  failed(channel: string, error: unknown): void {
    const change = this.changeOf(channel);
    const isUnexpected = !(error instanceof ChannelDown || error instanceof UnknownOutcome);
    const text = isUnexpected ? `the driver failed: ${(error as Error)?.name}` : error.message;
    change.error = text.slice(0, MAX_ERROR);
    change.errorAt = this.clock.now();
    change.isFailing = true;
  }

  reported(channel: string): void {
    this.changeOf(channel).reportedAt = this.clock.now();
  }

  private changeOf(channel: string): ChannelStateChange {
    const change = this.collected.get(channel) ?? { ...NO_CHANGE, channel };
    this.collected.set(channel, change);
    return change;
  }

  protected async write(): Promise<void> {
    if (!this.collected.size) return;
    const changes = [...this.collected.values()];
    this.collected.clear();
    try {
      await this.db.transaction(() => this.store.addChanges(changes));
    } catch (error) {
      this.log.warn(
        { err: error },
        'Writing channel states failed; they will be written with the next changes.',
      );
      for (const former of changes) {
        const later = this.collected.get(former.channel);
        const known = Object.entries(later ?? {}).filter(([, value]) => value !== null);
        const submitted = former.submitted + (later?.submitted ?? 0);
        this.collected.set(former.channel, { ...former, ...Object.fromEntries(known), submitted });
      }
    }
  }
}

const NO_CHANGE: Omit<ChannelStateChange, 'channel'> = {
  isFailing: null,
  error: null,
  errorAt: null,
  submitted: 0,
  submittedAt: null,
  reportedAt: null,
};
