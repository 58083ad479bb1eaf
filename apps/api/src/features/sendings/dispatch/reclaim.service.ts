import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, type BatchStage } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { DispatchStore, type LeasedBatch } from './dispatch.store.ts';
import { idsOf } from './outgoing.ts';
import { SubmitResultsService } from './submit-results.service.ts';

/** Reclaims batches of workers that no longer renew their leases. A batch that was being submitted has an unknown outcome. */
@Injectable()
export class ReclaimService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly results: SubmitResultsService,
    private readonly shutdown: Shutdown,
  ) {}

  @Sweeps(500)
  async reclaimExpiredLeases(): Promise<void> {
    const now = this.clock.now();
    await this.db.transaction(async () => {
      for (const batch of this.shutdown.isStopping ? [] : await this.store.lockExpiredLeases(now))
        await withIds(idsOf(batch), () => this.reclaim(batch, now));
    });
  }

  private async reclaim(batch: LeasedBatch & { stage: BatchStage }, now: Date): Promise<void> {
    if (batch.stage === BATCH_STAGES.leased)
      return this.store.release(await this.fenced(batch), now, now);
    const driver = await this.channels.driver(batch.channel).catch((error: unknown) => {
      this.log.error(
        { err: error },
        'Channel cannot be opened; a batch with an unknown outcome waits for it.',
      );
    });
    if (driver)
      await this.results.handleUnknownOutcome(
        await this.fenced(batch),
        driver,
        await this.store.rows(batch),
        now,
      );
  }

  private async fenced(batch: LeasedBatch): Promise<LeasedBatch> {
    return { ...batch, lease: await this.store.fence(batch) };
  }
}
