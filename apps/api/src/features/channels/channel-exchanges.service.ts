import { Injectable } from '@nestjs/common';
import type { Exchange, ExchangeLog } from '../../channels/exchanges.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Retention } from '../../core/retention.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import { ChannelExchangesStore } from './channel-exchanges.store.ts';

const MINUTE_MS = 60_000;
const KEPT_DAYS = 7;
/** Of each channel and worker: so many calls at once, and one more every two seconds; of calls that failed as many again. */
const BURST = 20;
const EVERY_MS = 2000;

/**
 * The log of exchanges: what workers and carriers said to each other. A sample where there is much, so that ten thousand messages a
 * second write no more than one message does; written once a second.
 */
@Injectable()
export class ChannelExchanges extends WriteBehind implements ExchangeLog {
  private collected: Exchange[] = [];
  private readonly taken = new Limits();
  private readonly failed = new Limits();

  constructor(
    private readonly store: ChannelExchangesStore,
    private readonly retention: Retention,
    private readonly log: Log,
  ) {
    super();
  }

  takes(channel: string): boolean {
    return this.taken.take(channel);
  }

  takesFailed(channel: string): boolean {
    return this.failed.take(channel);
  }

  add(exchange: Exchange): void {
    this.collected.push(exchange);
  }

  @Sweeps(MINUTE_MS)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('channel_exchanges', KEPT_DAYS);
  }

  protected async write(): Promise<void> {
    const exchanges = this.collected;
    this.collected = [];
    if (!exchanges.length) return;
    await this.store
      .add(exchanges)
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'Writing the exchanges of channels failed.'),
      );
  }
}

/** A bucket of tokens for each channel. */
class Limits {
  private readonly fullAt = new Map<string, number>();

  take(channel: string): boolean {
    const now = performance.now();
    const from = Math.max(this.fullAt.get(channel) ?? 0, now);
    if (from + EVERY_MS > now + BURST * EVERY_MS) return false;
    this.fullAt.set(channel, from + EVERY_MS);
    return true;
  }
}
