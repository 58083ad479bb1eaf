import { Injectable } from '@nestjs/common';
import { typeOf } from '@heliograph/domain';
import type { QueryResult } from '../../channels/channel.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { RepliesService } from './replies.service.ts';
import { ReportsService } from './reports.service.ts';

const ASK_AGAIN_MS = 10_000;

interface Polled {
  id: string;
  channel: string;
  type: number;
  firstId: string;
  lastId: string;
  handedAt: Date;
  polledAt: Date | null;
  options: Record<string, unknown> | null;
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
    private readonly reports: ReportsService,
    private readonly replies: RepliesService,
  ) {}

  @HandlesJob('sendings.poll')
  async poll(): Promise<void> {
    while (await this.db.transaction(() => this.one())) {
      // Until none is due.
    }
  }

  @Sweeps(250)
  async sweep(): Promise<void> {
    const due = await this.db.query(`select 1 from batches where poll_at <= $1 limit 1`, [
      this.clock.now(),
    ]);
    if (due.length) this.jobs.ring('sendings.poll', {});
  }

  private async one(): Promise<boolean> {
    const now = this.clock.now();
    const [batch] = await this.db.query<Polled>(
      `select id, channel, type, first_id as "firstId", last_id as "lastId", handed_at as "handedAt", polled_at as "polledAt", options
         from batches where poll_at <= $1 order by poll_at limit 1 for update skip locked`,
      [now],
    );
    if (!batch) return false;
    const driver = await this.channels.driverThen(batch.channel, batch.options);
    // Nobody asks about what was refused at the handover itself.
    const rows = await this.db.query<{ reference: string; recipient: string }>(
      `select id as reference, phone as recipient from sendings
        where id between $2 and $3 and batch_id = $1 and (failed_at is null or failed_at > $4)`,
      [batch.id, batch.firstId, batch.lastId, batch.handedAt],
    );
    const type = typeOf(batch.type);
    const messages = rows.map((r) => ({ ...r, type, handedAt: batch.handedAt }));
    const signal = AbortSignal.timeout(10_000);
    let result: QueryResult;
    try {
      result = await driver.query!(messages, { now, signal, since: batch.polledAt });
    } catch (error) {
      // One channel that cannot be asked must not keep the others from being asked.
      this.log.warn({ err: error, channel: batch.channel }, 'a driver could not be asked');
      const later = new Date(now.getTime() + ASK_AGAIN_MS);
      await this.db.query(`update batches set poll_at = $2 where id = $1`, [batch.id, later]);
      return true;
    }
    const { reports, replies, nextAt } = result;
    await this.reports.apply(
      reports.map(({ reference, status, code, note, at }) => ({
        id: reference,
        status,
        code,
        note,
        at,
      })),
    );
    for (const reply of replies) await this.replies.answer(reply);
    await this.db.query(`update batches set polled_at = $2, poll_at = $3 where id = $1`, [
      batch.id,
      now,
      nextAt,
    ]);
    return true;
  }
}
