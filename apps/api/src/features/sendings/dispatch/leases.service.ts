import { Injectable } from '@nestjs/common';
import {
  afterUse,
  allowance,
  atRate,
  segmentsAtOnce,
  waitForMore,
  type ChannelLimits,
} from '@heliograph/domain';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { PRIORITIES } from '../priorities.ts';
import type { CallRequest } from './channel-run.ts';
import { DispatchStore, type LeasedBatch } from './dispatch.store.ts';
import { LimitedLeasesService } from './limited-leases.service.ts';

export interface Lease {
  batches: LeasedBatch[];
  /** Milliseconds after which more may be leased, if only a rate or a limit holds it back. */
  waitMs?: number;
  /** Batches were prepared for a lease, and nothing was leased: the next call finds more. */
  isUnfinished?: true;
}

const UNLIMITED = { segments: Infinity, maxSegments: Infinity };

/** Leases what a channel may submit. What its rate does not allow stays where it is. */
@Injectable()
export class LeasesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly limited: LimitedLeasesService,
  ) {}

  async lease(channel: string, request: CallRequest): Promise<Lease> {
    const now = this.clock.now();
    const given = { ...request, now, until: secondsAfter(now, this.config.LEASE_SECONDS) };
    const limits = await this.channels.limitsOf(channel);
    if (limits?.limits.length) return this.limited.lease(limits, request);
    if (!limits) return { batches: await this.store.lease(channel, { ...given, ...UNLIMITED }) };
    return this.db.transaction(async () => {
      const stored = await this.store.lockUse(channel);
      const use = atRate(limits, stored, now);
      if (use !== stored) await this.store.setUse(channel, use);
      const segments = allowance(limits, use, now);
      const maxSegments = segmentsAtOnce(limits);
      // A test of the channel is never held back, and counts.
      const batches = await this.store.lease(
        channel,
        segments > 0
          ? { ...given, segments, maxSegments, after: use.served }
          : { ...given, ...UNLIMITED, priority: PRIORITIES.test },
      );
      if (batches.length) {
        const used = afterUse(limits, use, segmentsOf(batches, limits), now);
        const { taskId, OwnerId } = batches.at(-1)!;
        // All workers share the turns, too: each has the channel for a moment.
        await this.store.setUse(channel, { ...used, served: taskId ? OwnerId : use.served });
        return { batches };
      }
      const isHeld =
        segments < maxSegments && (await this.store.dueChannels(now, [channel])).length;
      return { batches, waitMs: isHeld ? waitForMore(limits, use, now) : undefined };
    });
  }
}

/** A batch with more than may go at once is split, and so much of it submitted. */
function segmentsOf(batches: LeasedBatch[], limits: ChannelLimits): number {
  const all = batches.reduce((sum, { segments }) => sum + segments, 0);
  return batches.length === 1 && batches[0]!.size > 1 ? Math.min(all, segmentsAtOnce(limits)) : all;
}
