import { Injectable } from '@nestjs/common';
import type { installation, LAGS, ResponseOf } from '@heliograph/contract';
import { DURATION_STEPS, durationWithin } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Replica } from '../../core/db/replica.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { LOST_MS } from '../../core/process-reports.ts';
import { BUILD, VERSION } from '../../core/version.ts';
import { CertificatesService } from './certificates.service.ts';
import { FailedJobsService } from './failed-jobs.service.ts';
import { InstallationStore } from './installation.store.ts';

type State = ResponseOf<typeof installation.get>;

const HOUR_MS = 3_600_000;
const SHOWN_LISTS = 20;
const BYTES_A_GB = 1e9;

/** The metric of each kind of work that waits. */
const LAG_METRICS: Record<(typeof LAGS)[number], [name: string, priority?: string]> = {
  codes: ['submit_lag_seconds', 'code'],
  singles: ['submit_lag_seconds', 'single'],
  bulks: ['submit_lag_seconds', 'bulk'],
  polls: ['report_lag_seconds'],
  fallbacks: ['fallback_lag_seconds'],
  webhooks: ['webhook_lag_seconds'],
  notifications: ['notification_lag_seconds'],
};

/** The state of the installation, for administrators. */
@Injectable()
export class InstallationService {
  constructor(
    private readonly store: InstallationStore,
    private readonly replica: Replica,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly jobs: FailedJobsService,
    private readonly certificates: CertificatesService,
  ) {}

  async state(): Promise<State> {
    const [processes, certificates, failedJobs, sweeps, slowLists, upkeep, lags, queues, database] =
      await Promise.all([
        this.store.processes(),
        this.certificates.find(),
        this.jobs.find(),
        this.store.sweeps(),
        this.slowLists(),
        this.store.upkeep(),
        this.lags(),
        this.queues(),
        this.database(),
      ]);
    const lostBefore = this.clock.now().getTime() - LOST_MS;
    return {
      version: VERSION,
      build: BUILD,
      processes: processes.map(({ startedAt, seenAt, ...one }) => ({
        ...one,
        startedAt: startedAt.toISOString(),
        seenAt: seenAt.toISOString(),
        isLost: seenAt.getTime() < lostBefore,
      })),
      lags,
      queues,
      certificates,
      failedJobs,
      sweeps: sweeps.map(({ ranAt, failedAt, ...one }) => ({
        ...one,
        ranAt: ranAt.toISOString(),
        failedAt: failedAt && failedAt.toISOString(),
      })),
      slowLists,
      upkeep: {
        backupAt: upkeep.backupAt && upkeep.backupAt.toISOString(),
        verify: upkeep.verify && { ...upkeep.verify, at: upkeep.verify.at.toISOString() },
      },
      database,
    };
  }

  /** Those that ended without a word, and the size of the day. */
  @Sweeps(HOUR_MS)
  async keep(): Promise<void> {
    const now = this.clock.now();
    await this.store.removeLost(new Date(now.getTime() - 24 * HOUR_MS));
    await this.store.removeDurations(this.dayAgo());
    await this.store.noteSize(now);
    await this.jobs.bound();
  }

  /** The hour that runs, and 23 before it. */
  private dayAgo(): Date {
    const hour = Math.floor(this.clock.now().getTime() / HOUR_MS);
    return new Date((hour - 23) * HOUR_MS);
  }

  private async slowLists(): Promise<State['slowLists']> {
    const rows = await this.store.durations(this.dayAgo());
    const byRoute = Map.groupBy(rows, ({ route }) => route);
    return [...byRoute]
      .map(([route, hours]) => {
        const slowest = Math.max(...hours.map((hour) => hour.slowest));
        const counts = Array.from({ length: DURATION_STEPS }, (_, step) =>
          hours.reduce((sum, hour) => sum + (hour.counts[step] ?? 0), 0),
        );
        return {
          route,
          count: counts.reduce((sum, count) => sum + count, 0),
          p50: durationWithin(counts, 0.5, slowest),
          p95: durationWithin(counts, 0.95, slowest),
          slowest,
        };
      })
      .sort((a, b) => b.p95 - a.p95 || b.slowest - a.slowest || a.route.localeCompare(b.route))
      .slice(0, SHOWN_LISTS);
  }

  private lags(): Promise<State['lags']> {
    return Promise.all(
      Object.entries(LAG_METRICS).map(async ([name, [metric, priority]]) => {
        const samples = await this.metrics.samples(metric);
        const found = samples.find(({ labels }) => labels?.priority === priority);
        return { name: name as (typeof LAGS)[number], seconds: Math.max(0, found?.value ?? 0) };
      }),
    );
  }

  private async queues(): Promise<State['queues']> {
    const samples = await this.metrics.samples('queue_jobs');
    const byQueue = Map.groupBy(samples, ({ labels }) => labels!.queue!);
    return [...byQueue].map(([name, states]) => {
      const of = (state: string) => states.find(({ labels }) => labels!.state === state)?.value;
      return { name, waiting: of('wait') ?? 0, active: of('active') ?? 0 };
    });
  }

  private async database(): Promise<State['database']> {
    const [{ version, size, growth }, tables, replica] = await Promise.all([
      this.store.database(),
      this.store.largestTables(),
      this.replica.state(),
    ]);
    const { DATABASE_DISK_GB } = this.config;
    const left = DATABASE_DISK_GB === undefined ? null : DATABASE_DISK_GB * BYTES_A_GB - size;
    const fullInDays =
      left === null || growth === null || growth <= 0
        ? null
        : Math.max(0, Math.floor(left / growth));
    return { version, size, growth, fullInDays, replica, tables };
  }
}
