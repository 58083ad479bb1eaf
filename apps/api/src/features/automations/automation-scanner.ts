import { Injectable } from '@nestjs/common';
import {
  anniversariesOn,
  dayIn,
  isSuppressible,
  SENDING_TYPES,
  typeCode,
} from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db, isUnavailable } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { SegmentsService } from '../segments/segments.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { Automation } from './automation.entity.ts';
import { AutomationRunsStore } from './automation-runs.store.ts';
import { AutomationsService } from './automations.service.ts';
import { AutomationsStore } from './automations.store.ts';
import { nextScan } from './next-scan.ts';

const AUTOMATIONS_AT_ONCE = 50;
/** Ended runs are shown for so long. */
const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
/** What people can reply to. */
const TYPES = SENDING_TYPES.filter(isSuppressible).map(typeCode);

/** Lets people enter automations that look for them: by dates of contacts, segments and missing replies. */
@Injectable()
export class AutomationScanner {
  constructor(
    private readonly db: Db,
    private readonly service: AutomationsService,
    private readonly store: AutomationsStore,
    private readonly runs: AutomationRunsStore,
    private readonly segments: SegmentsService,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
  ) {}

  /** One part of each that is due. True if there may be more. */
  @Sweeps(5000)
  async scan(): Promise<boolean> {
    let isMore = false;
    for (const id of await this.store.scanning(this.clock.now(), AUTOMATIONS_AT_ONCE)) {
      if (this.shutdown.isStopping) return false;
      try {
        isMore = (await this.db.transaction(() => this.scanNext(id))) || isMore;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        this.log.error(
          { err: error, automationId: id },
          'An automation could not look for people.',
        );
        await this.db.transaction(() => this.postpone(id));
      }
    }
    return isMore;
  }

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.runs.deleteOld(this.clock.now(), RETENTION_DAYS);
  }

  /** What people are to get, or whom it watches, is no longer there: somebody should know. */
  @Sweeps(60_000)
  pauseLacking(): Promise<boolean> {
    return this.db.transaction(async () => {
      const { rows, isMore } = await this.store.lockLacking(AUTOMATIONS_AT_ONCE);
      for (const row of rows) await this.service.pause(row, 'removed');
      return isMore;
    });
  }

  /** Who enters and where the look goes on are one transaction. */
  private async scanNext(id: string): Promise<boolean> {
    const row = await this.store.lockRunning(id);
    const now = this.clock.now();
    if (!row?.nextScanAt || row.nextScanAt > now) return false;
    // A day is that of the time at which it was due; the others are looked for as of now.
    row.scanAt ??= row.trigger.when === 'date' ? row.nextScanAt : now;
    const isEnd = !(await this.look(row, row.scanAt, now));
    if (isEnd) {
      const next = { scanAt: null, scanList: null, scanAfter: null };
      Object.assign(row, next, { nextScanAt: nextScan(row, now, false) });
    }
    await this.store.replace(row);
    return !isEnd;
  }

  /** Looks at the next part, and notes where it ends. False at the end. */
  private async look(row: Automation, at: Date, now: Date): Promise<boolean> {
    const { trigger, OwnerId, timeZone } = row;
    if (trigger.when === 'silence') {
      const until = new Date(at.getTime() - trigger.days * DAY_MS);
      if (until <= row.scannedTo!) return false;
      row.scanAfter = await this.runs.lookForSilence(
        row,
        { from: row.scannedTo!, until },
        TYPES,
        now,
      );
      if (!row.scanAfter) row.scannedTo = until;
      return row.scanAfter !== null;
    }
    let next: Awaited<ReturnType<AutomationRunsStore['look']>> = null;
    if (trigger.when === 'date') {
      // A greeting is for its day: after a longer stop the next one counts.
      if (now.getTime() - at.getTime() >= DAY_MS) return false;
      const day = dayIn(timeZone, at);
      const looked = { days: anniversariesOn(day), field: trigger.field, ListId: trigger.ListId };
      next = await this.runs.look(row, looked, day.slice(0, 4), now);
    }
    if (trigger.when === 'segment') {
      const [segment] = await this.segments.inLists(OwnerId, [trigger.SegmentId]);
      if (!segment) return false;
      const membership = { at: now, ...(await this.settings.readingOf(OwnerId)) };
      const isStart = row.scannedTo === null;
      next = await this.runs.look(row, { segment, membership, isStart }, '', now);
      if (!next) row.scannedTo = now;
    }
    row.scanList = next?.list ?? null;
    row.scanAfter = next?.after ?? null;
    return next !== null;
  }

  private async postpone(id: string): Promise<void> {
    const row = await this.store.lockRunning(id);
    if (!row) return;
    if (row.trigger.when === 'date') row.scanAt ??= row.nextScanAt;
    row.nextScanAt = new Date(this.clock.now().getTime() + 60_000);
    await this.store.replace(row);
  }
}
