import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, type BatchStage } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { DueRows } from '../../../core/jobs/due-rows.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { withIds } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { DispatchStore, type LeasedBatch } from './dispatch.store.ts';
import { logIdsOf } from './outgoing.ts';
import { SubmitResultsService } from './submit-results.service.ts';

const BATCH_LIMIT = 100;

/** Reclaims batches of workers that no longer renew their leases. A batch that was being submitted has an unknown outcome. */
@Injectable()
export class ReclaimService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly rows: DueRows,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly results: SubmitResultsService,
    private readonly shutdown: Shutdown,
  ) {}

  @Sweeps(500)
  reclaimExpiredLeases(): Promise<boolean> {
    return this.rows.process({
      what: 'reclaiming batches',
      limit: BATCH_LIMIT,
      take: (limit) => this.reclaimUpTo(limit),
      postpone: (ms) => this.store.postponeReclaim(this.clock.now(), ms),
    });
  }

  private reclaimUpTo(limit: number): Promise<boolean> {
    const now = this.clock.now();
    return this.db.transaction(async () => {
      const batches = this.shutdown.isStopping
        ? []
        : await this.store.lockExpiredLeases(now, limit);
      for (const batch of batches) await withIds(logIdsOf(batch), () => this.reclaim(batch, now));
      return batches.length === limit;
    });
  }

  private async reclaim(batch: LeasedBatch & { stage: BatchStage }, now: Date): Promise<void> {
    if (batch.stage === BATCH_STAGES.leased)
      return this.store.release([await this.fenced(batch)], now, now);
    // Of a channel whose settings are not valid it is found out with the next submit.
    const facts = await this.channels.factsOf(batch.channel);
    const rows = await this.store.rows(batch);
    await this.results.handleUnknownOutcomes(
      [{ batch: await this.fenced(batch), rows }],
      facts,
      now,
    );
  }

  private async fenced(batch: LeasedBatch): Promise<LeasedBatch> {
    return { ...batch, lease: await this.store.fence(batch) };
  }
}
