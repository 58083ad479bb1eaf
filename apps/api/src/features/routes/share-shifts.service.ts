import { Injectable } from '@nestjs/common';
import { shiftShares } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import type { Route } from './route.entity.ts';
import { RoutesService } from './routes.service.ts';
import { RoutesStore } from './routes.store.ts';
import { ShareShiftsStore, STEP_MS } from './share-shifts.store.ts';

const CHECK_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Processes write receipts within a second. */
const WRITTEN_MS = 10_000;
const KEPT_DAYS = 90;

/** Gives the channels of weighted routes more and fewer messages, by the receipts of every ten minutes. How: `shiftShares` of the domain. */
@Injectable()
export class ShareShiftsService {
  constructor(
    private readonly store: ShareShiftsStore,
    private readonly routes: RoutesStore,
    private readonly table: RoutesService,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly retention: Retention,
  ) {}

  @Sweeps(CHECK_MS)
  async shift(): Promise<boolean> {
    const now = this.clock.now();
    const until = new Date(Math.floor((now.getTime() - WRITTEN_MS) / STEP_MS) * STEP_MS);
    await this.db.transaction(async () => {
      const shifting = await this.routes.lockShifting();
      if (!shifting.length || !(await this.store.claim(until))) return;
      this.db.afterCommit(() => this.table.forget());
      for (const route of shifting) await this.shiftRoute(route, until, now);
    });
    return false;
  }

  @Sweeps(HOUR_MS)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('share_shifts', KEPT_DAYS);
  }

  private async shiftRoute(route: Route, until: Date, now: Date): Promise<void> {
    const judged = await this.store.judged(route, until);
    const { changes, poor } = shiftShares(judged, until);
    const kept = judged.flatMap(({ ChannelId, share, poorAt }) => {
      const change = changes.find((one) => one.ChannelId === ChannelId);
      const isPoor = poor.includes(ChannelId);
      if (!change && !isPoor) return [];
      return [{ ChannelId, share: change?.after ?? share, poorAt: isPoor ? until : poorAt }];
    });
    if (kept.length) await this.store.write(route.id, kept, changes, now);
  }
}
