import { Injectable, type OnModuleInit } from '@nestjs/common';
import { restingShares, SHARE_TOTAL, shiftShares } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
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
export class ShareShiftsService implements OnModuleInit {
  constructor(
    private readonly store: ShareShiftsStore,
    private readonly routes: RoutesStore,
    private readonly table: RoutesService,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly retention: Retention,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'route_share',
      'Shares of channels in routes that shift them, from 0 to 1',
      ['route', 'title', 'channel', 'by'],
      () => this.shares(),
    );
  }

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

  private async shares() {
    const routes = await this.routes.shifting();
    const sharesOf = await this.store.of(routes);
    return routes.flatMap((route) => {
      const resting = restingShares(route.channels);
      return sharesOf(route).flatMap(({ ChannelId: channel, share }) => {
        const labels = { route: route.id, title: route.title, channel };
        return [
          { labels: { ...labels, by: 'deliveries' }, value: share / SHARE_TOTAL },
          {
            labels: { ...labels, by: 'weights' },
            value: (resting.get(channel) ?? 0) / SHARE_TOTAL,
          },
        ];
      });
    });
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
