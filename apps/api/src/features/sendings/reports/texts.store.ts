import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { DELETED_TEXT } from '../../links/click-codes.service.ts';
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

  /** The oldest ids of carriers whose messages ended before; a message may have waited for long before it was submitted. */
  deleteCarrierRefs(before: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from carrier_refs where (channel, external_id) in (
         select r.channel, r.external_id from carrier_refs r
           left join sendings s on s.id = r.sending_id left join batches b on b.id = s.batch_id
          where r.sending_id < $1 and (s.id is null or b.closed_at < $2) order by r.sending_id limit ${limit})`,
      [uuidFloor(before), before],
    );
  }

  /** And who clicked in them. Marked as last: a fallback would have no text to send. */
  async deleteTexts(sendingIds: string[]): Promise<void> {
    await this.db.query(`update sendings set ${DELETED_TEXT}, is_last = true where id = any($1)`, [
      sendingIds,
    ]);
    await this.db.query(`delete from link_clicks where sending_id = any($1)`, [sendingIds]);
  }

  async markEmpty(batchIds: string[]): Promise<void> {
    await this.db.query(`update batches set has_texts = false, plan = null where id = any($1)`, [
      batchIds,
    ]);
  }
}
