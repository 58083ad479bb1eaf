import { Injectable } from '@nestjs/common';
import { BATCH_STAGES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

/** A submitted batch whose driver can be queried. */
export interface PolledBatch {
  channel: string;
  submittedAt: Date;
  /** Reports up to this moment have been received. */
  polledAt: Date | null;
  /** All of its messages are final or expired. */
  isClosed: boolean;
  /** Nobody knows whether the carrier has it. */
  isUnknown: boolean;
}

export interface PolledMessage {
  id: string;
  phone: string;
  type: number;
  /** A report of the delivery, or of its failure, has come. */
  isReported: boolean;
}

export interface DueBatch extends PolledBatch {
  id: string;
  firstId: string;
  lastId: string;
  revision: number | null;
  /** Fencing token of this poll: a later poll sets another time. */
  lease: Date;
}

/** The schedule of polls: `poll_at` and `polled_at` of batches. */
@Injectable()
export class PollStore {
  constructor(private readonly db: Db) {}

  async isDue(now: Date): Promise<boolean> {
    const rows = await this.db.query(`select 1 from batches where poll_at <= $1 limit 1`, [now]);
    return rows.length > 0;
  }

  /** Leases the batch that is due longest. A leased batch does not expire. */
  async lease(now: Date, until: Date): Promise<DueBatch | undefined> {
    const [batch] = await this.db.query<DueBatch>(
      `with due as (select id from batches where poll_at <= $1 order by poll_at limit 1 for update skip locked)
       update batches b set poll_at = $2, lease_until = $2 from due where b.id = due.id
       returning b.id, b.channel, b.first_id as "firstId", b.last_id as "lastId", b.submitted_at as "submittedAt",
                 b.polled_at as "polledAt", b.channel_revision as revision, b.poll_at as lease, b.closed_at is not null as "isClosed", b.stage = $3 as "isUnknown"`,
      [now, until, BATCH_STAGES.unknown],
    );
    return batch;
  }

  /** Messages to query. Those rejected on submit are left out. */
  messages(batch: DueBatch): Promise<PolledMessage[]> {
    return this.db.query(
      `select id, phone, type, coalesce(delivered_at, failed_at) is not null as "isReported" from sendings
        where id between $2 and $3 and batch_id = $1 and (failed_at is null or failed_at > $4)`,
      [batch.id, batch.firstId, batch.lastId, batch.submittedAt],
    );
  }

  /** Ends a poll and schedules the next. False when the lease has expired and another worker polls the batch. */
  async finish(
    { id, lease }: DueBatch,
    { polledAt, nextAt }: { polledAt: Date | null; nextAt: Date | null },
  ): Promise<boolean> {
    const updated = await this.db.execute(
      `update batches set polled_at = $3, poll_at = $4, lease_until = null where id = $1 and poll_at = $2`,
      [id, lease, polledAt, nextAt],
    );
    return updated > 0;
  }
}
