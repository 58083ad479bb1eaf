import { Injectable } from '@nestjs/common';
import { typeOf } from '@heliograph/domain';
import type { Driver, QueryResult } from '../../../channels/channel.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ChannelConnections } from '../../channels/channel-connections.service.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { PollStore, type DueBatch, type PolledBatch, type PolledMessage } from './poll.store.ts';
import { RepliesService } from './replies.service.ts';
import { ReportsService } from './reports.service.ts';

const MIN_RETRY_MS = 10_000;
const MAX_RETRY_MS = 300_000;
/** The next attempt, as a share of the time since the last answer: each delay is half as long again as the one before. */
const RETRY_SHARE = 0.5;
/** A closed batch whose driver has not answered for so long is not polled any more. */
const MAX_FAILING_MS = 24 * 3_600_000;
const QUERY_TIMEOUT_MS = 10_000;

/** Reports and replies of one query, to be stored in the caller's transaction. */
export interface PollResult extends QueryResult {
  /** The driver has answered up to this moment. */
  polledAt: Date | null;
}

/** Queries drivers for reports. Reports and the moment up to which they were received are stored in one transaction. */
@Injectable()
export class PollService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly store: PollStore,
    private readonly channels: ChannelConnections,
    private readonly states: ChannelStatesService,
    private readonly reports: ReportsService,
    private readonly carriers: CarrierReportsService,
    private readonly replies: RepliesService,
    private readonly shutdown: Shutdown,
  ) {}

  @HandlesJob('sendings.poll')
  async poll(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const now = this.clock.now();
      const leaseUntil = new Date(now.getTime() + 2 * QUERY_TIMEOUT_MS);
      const batch = await this.store.lease(now, leaseUntil);
      if (!batch) return;
      const ids = { batchId: batch.id, channel: batch.channel };
      await withIds(ids, () => this.pollBatch(batch));
    }
  }

  @Sweeps(250)
  async sweep(): Promise<void> {
    if (await this.store.isDue(this.clock.now())) this.jobs.enqueue('sendings.poll', {});
  }

  /** Never throws: a failing driver must not keep other channels from being polled. */
  async query(
    batch: PolledBatch,
    rows: PolledMessage[],
    now: Date,
    open: () => Promise<Driver>,
  ): Promise<PollResult> {
    const { channel, submittedAt, polledAt, isUnknown } = batch;
    const signal = AbortSignal.timeout(QUERY_TIMEOUT_MS);
    const taken = isUnknown ? 'unknown' : 'submitted';
    const messages = rows.map(({ id, phone, type, isReported }) => ({
      reference: id,
      recipient: phone,
      type: typeOf(type),
      submittedAt,
      state: isReported ? ('reported' as const) : (taken as 'unknown' | 'submitted'),
    }));
    try {
      const driver = await open();
      const result = await driver.query!(messages, { now, signal, since: polledAt });
      if (result.reports.length) this.states.reported(channel);
      return { ...result, polledAt: now };
    } catch (error) {
      this.log.warn({ err: error, channel }, 'polling a driver failed');
      return { reports: [], replies: [], nextAt: retryAt(batch, now), polledAt };
    }
  }

  private async pollBatch(batch: DueBatch): Promise<void> {
    const now = this.clock.now();
    const rows = await this.store.messages(batch);
    const result = await this.query(batch, rows, now, () =>
      this.channels.ofRevision(batch.channel, batch.revision),
    );
    await this.db.transaction(async () => {
      if (await this.store.finish(batch, result)) await this.apply(batch.channel, result);
    });
  }

  /** In the transaction that stores `polledAt`, so that no report is lost or applied twice. */
  async apply(channel: string, result: QueryResult): Promise<void> {
    await this.reports.apply(await this.carriers.matched(channel, result.reports));
    await this.receive(result);
  }

  /** After its reports. */
  receive({ replies }: QueryResult): Promise<void> {
    return this.replies.receiveReplies(replies);
  }
}

/** A driver may fail for ever, such as one with a wrong password: it is asked less and less often, and no longer once nothing waits for it. */
function retryAt({ submittedAt, polledAt, isClosed }: PolledBatch, now: Date): Date | null {
  const failingMs = now.getTime() - (polledAt ?? submittedAt).getTime();
  if (isClosed && failingMs > MAX_FAILING_MS) return null;
  const delay = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, failingMs * RETRY_SHARE));
  return new Date(now.getTime() + delay);
}
