import { Injectable } from '@nestjs/common';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Retention } from '../../../core/retention.ts';
import { ReportsStore, type BatchRange } from './reports.store.ts';

/** Messages that one transaction empties, and batches that it looks at: those of singles are of one each. */
const MANY = 2000;

/** What messages said goes some time after their end. That they were sent, to whom and for how much stays: the ledger names them. */
@Injectable()
export class TextsService {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly retention: Retention,
    private readonly store: ReportsStore,
  ) {}

  /** Batches with nothing open whose task, if they have one, is over: nothing is made of these texts any more. */
  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_TEXTS_DAYS);
    return before ? this.db.transaction(() => this.some(before)) : false;
  }

  private async some(before: Date): Promise<boolean> {
    const found = await this.db.query<BatchRange & { size: number }>(
      `select b.id, b.first_id as "firstId", b.last_id as "lastId", b.size from batches b left join tasks t on t.id = b.task_id
        where b.has_texts and b.closed_at < $1 and (b.task_id is null or t.finished_at is not null)
        order by b.closed_at, b.id limit ${MANY} for update of b skip locked`,
      [before],
    );
    let messages = 0;
    const due = found.filter(({ size }) => (messages += size) <= MANY || messages === size);
    await this.empty(await this.store.sendingsOf(due, `num_nonnulls(s.body, s.vars, s.data) > 0`));
    await this.db.query(`update batches set has_texts = false, plan = null where id = any($1)`, [
      due.map(({ id }) => id),
    ]);
    return due.length < found.length || found.length === MANY;
  }

  /** What chains that are over said. Nothing follows them: a fallback has nothing to say. */
  private async empty(ids: string[]): Promise<void> {
    await this.db.query(
      `update sendings set body = null, vars = null, is_last = true, data = nullif(data - 'payload', '{}') where id = any($1)`,
      [ids],
    );
  }
}
