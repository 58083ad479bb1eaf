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
import { ChannelsService } from '../../channels/channels.service.ts';
import { RepliesService } from './replies.service.ts';
import { ReportsService } from './reports.service.ts';

const ASK_AGAIN_MS = 10_000;
/** What a driver that was asked has not answered by then is asked again, perhaps by another worker. */
const PATIENCE_MS = 10_000;

/** A batch that a driver can be asked about. */
export interface Asked {
  type: number;
  channel: string;
  submittedAt: Date;
  /** Up to when it has answered already. */
  polledAt: Date | null;
}

/** What a driver said, for the transaction that writes it down. */
export interface Answer extends QueryResult {
  /** Up to when it has answered now. */
  polledAt: Date | null;
}

interface Due extends Asked {
  id: string;
  firstId: string;
  lastId: string;
  revision: number | null;
  /** Our turn at it: whoever takes a turn after us sets another. */
  turn: Date;
}

/** Asks drivers that can be asked what became of a batch. What they answer and up to when they did is one transaction. */
@Injectable()
export class PollService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly channels: ChannelsService,
    private readonly states: ChannelStatesService,
    private readonly reports: ReportsService,
    private readonly replies: RepliesService,
    private readonly shutdown: Shutdown,
  ) {}

  @HandlesJob('sendings.poll')
  async poll(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const batch = await this.take();
      if (!batch) return;
      const ids = { batchId: batch.id, channel: batch.channel };
      await withIds(ids, () => this.one(batch));
    }
  }

  @Sweeps(250)
  async sweep(): Promise<void> {
    const due = await this.db.query(`select 1 from batches where poll_at <= $1 limit 1`, [
      this.clock.now(),
    ]);
    if (due.length) this.jobs.enqueue('sendings.poll', {});
  }

  /** Never throws: one channel that cannot be asked must not keep the others from being asked. */
  async ask(
    { type, channel, submittedAt, polledAt }: Asked,
    rows: { id: string; phone: string }[],
    now: Date,
    open: () => Promise<Driver>,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const messages = rows.map(({ id, phone }) => ({
      reference: id,
      recipient: phone,
      type: typeOf(type),
      submittedAt,
    }));
    try {
      const driver = await open();
      const said = await driver.query!(messages, { now, signal, since: polledAt });
      if (said.reports.length) this.states.reported(channel);
      return { ...said, polledAt: now };
    } catch (error) {
      this.log.warn({ err: error, channel }, 'a driver could not be asked');
      const nextAt = new Date(now.getTime() + ASK_AGAIN_MS);
      return { reports: [], replies: [], nextAt, polledAt };
    }
  }

  /** Takes the batch that has waited longest, for as long as a driver may take to answer; it does not expire meanwhile. */
  private async take(): Promise<Due | undefined> {
    const now = this.clock.now();
    const [batch] = await this.db.query<Due>(
      `with due as (select id from batches where poll_at <= $1 order by poll_at limit 1 for update skip locked)
       update batches b set poll_at = $2, lease_until = $2 from due where b.id = due.id
       returning b.id, b.channel, b.type, b.first_id as "firstId", b.last_id as "lastId", b.submitted_at as "submittedAt",
                 b.polled_at as "polledAt", b.channel_revision as revision, b.poll_at as turn`,
      [now, new Date(now.getTime() + 2 * PATIENCE_MS)],
    );
    return batch;
  }

  private async one(batch: Due): Promise<void> {
    const now = this.clock.now();
    // Nobody asks about what was refused at the handover itself.
    const rows = await this.db.query<{ id: string; phone: string }>(
      `select id, phone from sendings
        where id between $2 and $3 and batch_id = $1 and (failed_at is null or failed_at > $4)`,
      [batch.id, batch.firstId, batch.lastId, batch.submittedAt],
    );
    const answer = await this.ask(batch, rows, now, () =>
      this.channels.driverThen(batch.channel, batch.revision),
    );
    await this.db.transaction(async () => {
      const isOurs = await this.db.execute(
        `update batches set polled_at = $3, poll_at = $4, lease_until = null where id = $1 and poll_at = $2`,
        [batch.id, batch.turn, answer.polledAt, answer.nextAt],
      );
      if (isOurs) await this.apply(answer);
    });
  }

  /** Part of the transaction that says up to when the driver has answered. */
  async apply({ reports, replies }: QueryResult): Promise<void> {
    await this.reports.apply(reports.map(({ reference, ...said }) => ({ ...said, id: reference })));
    for (const reply of replies) await this.replies.answer(reply);
  }
}
