import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, STATUS_CODES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

const { submitted, unknown } = BATCH_STAGES;

/**
 * Closes submitted batches without open messages, which are left out of the indexes on open ones. What may have ended a batch notes it: a last
 * status, the record of its submit, its timer. So closing costs what ended, however many batches wait for their reports.
 */
@Injectable()
export class ClosingStore {
  constructor(private readonly db: Db) {}

  /** In the transaction of the change: each batch once, before the commit. */
  note(batchIds: Iterable<string>): void {
    const noted = this.db.beforeCommit(
      this,
      () => new Set<string>(),
      (ids) => this.insert([...ids]),
    );
    if (!noted) throw new Error('A batch is noted in the transaction that may end it.');
    for (const id of batchIds) noted.add(id);
  }

  /** Closes those of the noted batches that have ended; the others are noted again when more of them ends. Returns how many were looked at. */
  async close(now: Date, limit: number): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `with noted as (
         delete from closing_batches where id in (select id from closing_batches order by id limit $2 for update skip locked) returning batch_id),
       ended as (
         select b.id from batches b where b.id in (select batch_id from noted) and b.closed_at is null and b.stage in (${submitted}, ${unknown}) and b.timer_at is null
            and not exists (select 1 from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id
                             and (s.status is null or s.status < ${STATUS_CODES.delivered}) offset 0)
          order by b.id for update of b),
       closed as (update batches b set closed_at = $1 from ended where b.id = ended.id)
       select count(*)::int as count from noted`,
      [now, limit],
    );
    return row!.count;
  }

  private async insert(batchIds: string[]): Promise<void> {
    if (!batchIds.length) return;
    await this.db.query(`insert into closing_batches (batch_id) select unnest($1::bigint[])`, [
      batchIds,
    ]);
  }
}
