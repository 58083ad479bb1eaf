import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { WriteBehind } from '../../core/write-behind.ts';
import {
  ChannelTrafficStore,
  SUBMIT_RESULTS,
  type BatchReceipts,
  type MinuteResults,
  type SubmitResultName,
} from './channel-traffic.store.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Batches and networks of a second: what exceeds it is not counted. */
const MAX_RECEIPTS = 20_000;

/** Results and receipts of channels, counted in memory and written once a second. A process that is killed loses the last second. */
@Injectable()
export class ChannelTraffic extends WriteBehind {
  private results = new Map<string, MinuteResults>();
  private receipts = new Map<string, BatchReceipts>();

  constructor(
    private readonly store: ChannelTrafficStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    super();
  }

  /** Results of submits that the running transaction records. */
  submitted(channel: string, result: SubmitResultName, count: number): void {
    this.db.afterCommit(() => {
      const at = new Date(Math.floor(this.clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
      const key = `${channel} ${at.getTime()}`;
      const known = this.results.get(key) ?? { channel, at, ...NOTHING };
      known[result] += count;
      this.results.set(key, known);
    });
  }

  /** A final receipt that the running transaction applies. `mccmnc` is null of a number of no known network. */
  received(batchId: string, mccmnc: string | null, isDelivered: boolean): void {
    this.db.afterCommit(() => {
      const key = `${batchId} ${mccmnc} ${isDelivered}`;
      const known = this.receipts.get(key);
      if (known) known.count++;
      else if (this.receipts.size < MAX_RECEIPTS) {
        const at = this.clock.now();
        this.receipts.set(key, { batchId, mccmnc: mccmnc ?? '', isDelivered, at, count: 1 });
      }
    });
  }

  @Sweeps(HOUR_MS)
  async deleteOld(): Promise<boolean> {
    const now = this.clock.now();
    const hasMore = await this.store.deleteOld('channel_minutes', now);
    return (await this.store.deleteOld('channel_receipts', now)) || hasMore;
  }

  protected async write(): Promise<void> {
    const results = [...this.results.values()];
    const receipts = [...this.receipts.values()];
    this.results = new Map();
    this.receipts = new Map();
    // What cannot be written is lost: figures to look at, not to bill by.
    try {
      if (results.length) await this.store.addResults(results);
      if (!receipts.length) return;
      for (const { channel, isDelivered, ms, count } of await this.store.addReceipts(receipts))
        this.metrics.received(channel, isDelivered ? 'delivered' : 'failed', ms / 1000, count);
    } catch (error) {
      this.log.warn({ err: error }, 'Writing the traffic of channels failed.');
    }
  }
}

const NOTHING = Object.fromEntries(SUBMIT_RESULTS.map((name) => [name, 0])) as Record<
  SubmitResultName,
  number
>;
