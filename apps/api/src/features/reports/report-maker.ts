import { Injectable } from '@nestjs/common';
import { REPORT_PRESETS, type ReportFailure } from '@heliograph/contract';
import { rm } from 'node:fs/promises';
import { systemScope } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db, hasNoRoom } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Retention } from '../../core/retention.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { StorageService } from '../storage/storage.service.ts';
import { FileTooLargeError } from '../../core/files/output-file.ts';
import type { Report } from './report.entity.ts';
import { ReportSchedulesStore } from './report-schedules.store.ts';
import { ReportFileService, type Progress, type WrittenFile } from './report-file.service.ts';
import { ForbiddenError, ReportRights } from './report-rights.ts';
import { AccountReportsStore, type Claimed } from './account-reports.store.ts';

/** How often progress is stored, the lease renewed, and a cancellation or lost permission noticed. */
const PROGRESS_MS = 1000;
/** Reports of dead workers that one sweep returns to the queue. */
const RECLAIM_BATCH_SIZE = 100;
const DAY_MS = 86_400_000;
/** A statement was cancelled by its timeout. */
const QUERY_CANCELED = '57014';
const OUT_OF_MEMORY = '53200';

/** The report was cancelled or removed, or another worker makes it. */
class SupersededError extends Error {}

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Makes the files of reports, in workers. */
@Injectable()
export class ReportMaker {
  constructor(
    private readonly db: Db,
    private readonly store: AccountReportsStore,
    private readonly rights: ReportRights,
    private readonly schedules: ReportSchedulesStore,
    private readonly files: ReportFileService,
    private readonly storage: StorageService,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly retention: Retention,
    private readonly log: Log,
  ) {}

  @HandlesJob('report.make')
  async run(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const claimed = await this.store.claim();
      if (!claimed) return;
      await this.make(claimed);
    }
  }

  @Sweeps(1000)
  async sweepReports(): Promise<boolean> {
    const reclaimed = await this.db.transaction(async () => {
      const rows = await this.store.reclaim(RECLAIM_BATCH_SIZE);
      for (const row of rows) {
        if (row.state === 'failed') {
          await this.tellFailure(row, 'interrupted');
          await this.files.removeUnfinished(row.id);
        }
        this.events.changed('reports', 'updated', row.OwnerId, row.id);
      }
      return rows;
    });
    if (await this.store.isWaiting()) this.jobs.enqueueOnce('report.make', {});
    return reclaimed.length === RECLAIM_BATCH_SIZE;
  }

  @Sweeps(60_000)
  deleteOldReports(): Promise<boolean> {
    return this.retention.deleteOlder('reports', this.config.RETENTION_REPORTS_DAYS);
  }

  private async make(claimed: Claimed): Promise<void> {
    const progress: Progress = { rows: 0, total: null };
    const abort = new AbortController();
    const stop = () => abort.abort(this.shutdown.signal.reason);
    this.shutdown.signal.addEventListener('abort', stop, { once: true });
    const timer = this.watch(claimed, progress, abort);
    let written: WrittenFile | undefined;
    try {
      this.events.changed('reports', 'updated', claimed.OwnerId, claimed.id);
      const report = await this.store.get(systemScope, claimed.id);
      const scope = await this.rights.scopeOf(report);
      const attempt = { ...report, lease: claimed.lease };
      written = await this.files.write(attempt, scope, progress, abort.signal);
      await this.complete(claimed, report, written, progress);
    } catch (error) {
      const reason: unknown = abort.signal.aborted ? abort.signal.reason : error;
      await this.failed(claimed, reason, written ? 'store' : 'read');
    } finally {
      clearInterval(timer);
      this.shutdown.signal.removeEventListener('abort', stop);
      if (written) await rm(written.path, { force: true });
    }
  }

  /** Stores the progress every second, outside of any transaction. */
  private watch(claimed: Claimed, progress: Progress, abort: AbortController): NodeJS.Timeout {
    let isBusy = false;
    let stored = 0;
    const tick = async () => {
      const { rows } = progress;
      const total = progress.total === null ? null : Math.max(progress.total, rows);
      if (!(await this.store.renew(claimed, { rows, total })))
        return abort.abort(new SupersededError());
      await this.rights
        .scopeOf(await this.store.get(systemScope, claimed.id))
        .catch((error: unknown) => abort.abort(error));
      if (rows === stored) return;
      stored = rows;
      this.events.changed('reports', 'updated', claimed.OwnerId, claimed.id);
    };
    return setInterval(() => {
      if (isBusy || abort.signal.aborted) return;
      isBusy = true;
      // Without the database the lease expires, and another worker makes the report.
      void tick()
        .catch((error: unknown) => this.log.debug({ err: error }, 'failed to renew a report'))
        .finally(() => (isBusy = false));
    }, PROGRESS_MS);
  }

  /**
   * Stores the contents first, without a transaction, since a bucket may be slow. Then file and report in one transaction, so that
   * there is never one without the other.
   */
  private async complete(
    claimed: Claimed,
    { OwnerId, ScheduleId, preset, filename, format }: Report,
    { path, size, hash, replaced }: WrittenFile,
    { rows }: Progress,
  ): Promise<void> {
    const { id } = claimed;
    const contentsId = await this.storage.storeGenerated(OwnerId, path, size);
    const expiresAt = new Date(
      this.clock.now().getTime() + this.config.RETENTION_REPORT_FILES_DAYS * DAY_MS,
    );
    try {
      await this.db.transaction(async () => {
        if (!(await this.store.fence(claimed))) throw new SupersededError();
        const type = TYPES[format];
        const { can: permission } = REPORT_PRESETS[preset];
        const made = { id, contentsId, OwnerId, permission, filename, type, size, hash };
        const file = { ...made, expiredAt: expiresAt };
        await this.storage.addGenerated(file);
        await this.store.complete(claimed, { rows, replaced, size, expiresAt });
        if (ScheduleId) await this.schedules.addEmail(id);
        await this.notifications.notify(OwnerId, 'ReportReady', { id, file: filename, rows });
        this.events.changed('reports', 'updated', OwnerId, id);
      });
    } catch (error) {
      await this.storage.discardGenerated(contentsId);
      throw error;
    }
  }

  private async failed(claimed: Claimed, error: unknown, work: 'read' | 'store'): Promise<void> {
    if (error instanceof SupersededError) return;
    if (this.shutdown.isStopping && !(error instanceof ForbiddenError))
      return this.store.release(claimed);
    // Not a lost connection, and no memory: a report that ends the server, or needs more than it has, must not do so for ever.
    const isPostponed = hasNoRoom(error) && (error as { code?: string }).code !== OUT_OF_MEMORY;
    if (isPostponed && (await this.store.postpone(claimed, work))) {
      this.log.warn(
        { err: error, reportId: claimed.id },
        'A report waits for room in the database.',
      );
      this.events.changed('reports', 'updated', claimed.OwnerId, claimed.id);
      return;
    }
    const reason = reasonOf(error);
    if (MAY_PASS.has(reason) && (await this.store.retry(claimed))) {
      this.log.warn(
        { err: error, reportId: claimed.id },
        'A report failed and will be made again.',
      );
      return;
    }
    if (reason === 'internal')
      this.log.error({ err: error, reportId: claimed.id }, 'A report failed.');
    await this.db.transaction(async () => {
      if (!(await this.store.fail(claimed, reason))) return;
      await this.tellFailure(claimed, reason);
      this.events.changed('reports', 'updated', claimed.OwnerId, claimed.id);
    });
  }

  private async tellFailure({ id, OwnerId }: Claimed, reason: ReportFailure): Promise<void> {
    const { filename } = await this.store.get(systemScope, id);
    await this.notifications.notify(OwnerId, 'ReportFailed', { id, file: filename, reason });
  }
}

const MAY_PASS = new Set<ReportFailure>(['internal', 'storage_unavailable']);

function reasonOf(error: unknown): ReportFailure {
  if (error instanceof ForbiddenError) return 'forbidden';
  if (error instanceof FileTooLargeError) return 'too_large';
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (error instanceof AppError) {
    if (code === 'quota_exceeded') return 'quota_exceeded';
    return code === 'storage_unavailable' ? 'storage_unavailable' : 'internal';
  }
  if (code === QUERY_CANCELED) return 'too_slow';
  return syscall ? 'storage_unavailable' : 'internal';
}
