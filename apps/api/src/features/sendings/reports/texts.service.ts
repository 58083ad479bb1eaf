import { Injectable } from '@nestjs/common';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Retention } from '../../../core/retention.ts';
import { hasTextSql } from '../../links/click-codes.service.ts';
import { ReportsStore } from './reports.store.ts';
import { TextsStore } from './texts.store.ts';

/** Messages, and batches, of one transaction. */
const CLEANUP_BATCH_SIZE = 2000;

/** Deletes texts after the retention period. Recipients and amounts stay, because the ledger refers to them. */
@Injectable()
export class TextsService {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly retention: Retention,
    private readonly store: TextsStore,
    private readonly sendings: ReportsStore,
  ) {}

  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_TEXTS_DAYS);
    return before ? this.db.transaction(() => this.deleteBatch(before)) : false;
  }

  /** The ids that carriers gave, which only reports need. */
  @Sweeps(60_000)
  async deleteCarrierRefs(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_TEXTS_DAYS);
    if (!before) return false;
    return (await this.store.deleteCarrierRefs(before, CLEANUP_BATCH_SIZE)) === CLEANUP_BATCH_SIZE;
  }

  private async deleteBatch(before: Date): Promise<boolean> {
    const closed = await this.store.lockClosedBatches(before, CLEANUP_BATCH_SIZE);
    let messages = 0;
    // A batch larger than the limit is taken alone.
    const due = closed.filter(
      ({ size }) => (messages += size) <= CLEANUP_BATCH_SIZE || messages === size,
    );
    const ids = await this.sendings.sendingsOf(due, hasTextSql('s'));
    await this.store.deleteTexts(ids);
    await this.store.markEmpty(due.map(({ id }) => id));
    return due.length < closed.length || closed.length === CLEANUP_BATCH_SIZE;
  }
}
