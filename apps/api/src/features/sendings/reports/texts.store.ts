import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import type { BatchRange } from './reports.store.ts';

/** Message texts that are deleted after the retention period. */
@Injectable()
export class TextsStore {
  constructor(private readonly db: Db) {}

  /** Closed batches with texts whose task, if any, is finished: their texts are not rendered again. */
  lockClosedBatches(before: Date, limit: number): Promise<(BatchRange & { size: number })[]> {
    return this.db.query(
      `select b.id, b.first_id as "firstId", b.last_id as "lastId", b.size from batches b left join tasks t on t.id = b.task_id
        where b.has_texts and b.closed_at < $1 and (b.task_id is null or t.finished_at is not null)
        order by b.closed_at, b.id limit ${limit} for update of b skip locked`,
      [before],
    );
  }

  /** Marked as last: a fallback would have no text to send. */
  async deleteTexts(sendingIds: string[]): Promise<void> {
    await this.db.query(
      `update sendings set body = null, vars = null, is_last = true, data = nullif(data - 'payload', '{}') where id = any($1)`,
      [sendingIds],
    );
  }

  async markEmpty(batchIds: string[]): Promise<void> {
    await this.db.query(`update batches set has_texts = false, plan = null where id = any($1)`, [
      batchIds,
    ]);
  }
}
