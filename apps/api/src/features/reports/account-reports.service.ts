import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  COUNT_CAP,
  isDetailed,
  MAX_REPORT_DAYS,
  MAX_UNFINISHED_REPORTS,
  REPORT_PRESETS,
  type Page,
  type Range,
  type ReportInput,
  type ReportPreset,
  type ReportRow,
  type ReportWhere,
  type reports,
} from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { requirePermission, systemScope, type Actor } from '../../core/auth/actor.ts';
import { earliestOf } from '../../core/auth/date-limits.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { TimeZonesStore } from '../../core/db/time-zones.store.ts';
import { totals } from '../../core/db/find-page.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { exceeded } from '../../core/quotas.ts';
import { StorageService } from '../storage/storage.service.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { jsonCells } from './cell-sql.ts';
import { present, type Report } from './report.entity.ts';
import { ReportRowsStore } from './report-rows.store.ts';
import { ReportStatements } from './report-statements.ts';

const DAY_MS = 86_400_000;
/** The time between choosing a range of exactly `MAX_REPORT_DAYS` days and the request. */
const TOLERANCE_MS = 3_600_000;
const UTC = 'UTC';

type Request = Omit<ReportInput, 'locale'> & { locale: Locale };

@Injectable()
export class AccountReportsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: AccountReportsStore,
    private readonly rows: ReportRowsStore,
    private readonly timeZones: TimeZonesStore,
    private readonly statements: ReportStatements,
    private readonly storage: StorageService,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'reports',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  async create(actor: Actor, request: Request): Promise<{ key: string }> {
    const { preset, where, timeZone = UTC } = request;
    this.assertAllowed(actor, preset);
    await this.assertWithin(actor, where);
    const createdAt = this.rangeOf(where.createdAt);
    if (timeZone !== UTC && !(await this.timeZones.nameOf(timeZone)))
      throw invalid('timeZone', 'time_zone', 'The time zone is unknown.');
    return this.db.transaction(async () => {
      const unfinished = await this.store.countUnfinished(actor.OwnerId);
      if (unfinished >= MAX_UNFINISHED_REPORTS)
        throw exceeded({ name: 'reports', isUnfinished: true }, MAX_UNFINISHED_REPORTS);
      const { id } = await this.store.create({
        ...request,
        timeZone,
        where: { ...where, createdAt },
        filename: filenameOf(request, createdAt),
        OwnerId: actor.OwnerId,
        UserId: actor.userId,
        TokenId: actor.tokenId,
      });
      this.events.changed('reports', 'created', actor.OwnerId, id);
      this.jobs.enqueue('report.make', {});
      return { key: id };
    });
  }

  /** The rows of a grouped report. Their range has the limit of lists. */
  async online(
    actor: Actor,
    { filter, range, limit, offset }: In<typeof reports.find>['query'],
    locale: Locale,
  ): Promise<Page<ReportRow>> {
    const preset = filter.$preset!;
    this.assertAllowed(actor, preset);
    if (isDetailed(preset))
      throw invalid('$preset', 'grouped', 'Request a detailed report with POST /reports.');
    const $gt = earliestOf(actor, range.createdAt, this.clock.now());
    const createdAt = { ...range.createdAt, $gt: range.createdAt?.$gt ?? $gt };
    const { OwnerId } = filter;
    const where = { createdAt, ...(OwnerId && { OwnerId }) };
    const reading = { preset, where, scope: actor.scope, OwnerId: actor.OwnerId, locale };
    const operators = this.statements.operators(preset, locale);
    // One more tells whether there are more.
    const select = await this.statements.select(reading, jsonCells, COUNT_CAP + 1);
    const found = await this.rows.rows(select, operators);
    const data = found.slice(0, COUNT_CAP).slice(offset, offset + limit);
    return { data, ...totals(found.length, { limit, offset }) };
  }

  cancel(actor: Actor, id: string): Promise<Report> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      if (!(await this.store.cancel(id)))
        throw new AppError('conflict', 'The report is already over');
      this.events.changed('reports', 'updated', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** With its file. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId, hasFile } = await this.store.lock(actor.scope, id);
      if (hasFile) await this.storage.remove(actor, id);
      await this.store.remove(actor.scope, id);
      this.events.changed('reports', 'removed', OwnerId, id);
      return { id };
    });
  }

  private assertAllowed(actor: Actor, preset: ReportPreset): void {
    const { can, accept } = REPORT_PRESETS[preset];
    requirePermission(actor, can, accept);
  }

  private async assertWithin(actor: Actor, { OwnerId }: ReportWhere): Promise<void> {
    if (!OwnerId || OwnerId === actor.OwnerId) return;
    if (!(await this.owners.within(actor.scope, OwnerId)))
      throw new AppError('not_found', undefined, { foreignAccount: OwnerId });
  }

  /** Both bounds, so that a report that is made anew has the same rows. */
  private rangeOf({ $gt, $lt }: Range = {}): Required<Range> {
    const to = $lt ? new Date($lt) : this.clock.now();
    const earliest = to.getTime() - MAX_REPORT_DAYS * DAY_MS;
    const from = $gt ? new Date($gt) : new Date(earliest);
    if (from.getTime() < earliest - TOLERANCE_MS)
      throw new AppError(
        'date_range',
        `The range of a report must not exceed ${MAX_REPORT_DAYS} days`,
        {
          payload: { days: MAX_REPORT_DAYS },
        },
      );
    if (from > to)
      throw invalid('where.createdAt', 'order', 'The end of the range is before its start.');
    return { $gt: from.toISOString(), $lt: to.toISOString() };
  }
}

/** `sendings.byDay_2026-11-01_2026-11-22.csv`: the first and the last day of the rows in their time zone; both bounds are excluded. */
function filenameOf(
  { preset, format, timeZone = UTC }: Request,
  { $gt, $lt }: Required<Range>,
): string {
  const { format: dayOf } = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return `${preset}_${dayOf(Date.parse($gt) + 1)}_${dayOf(Date.parse($lt) - 1)}.${format}`;
}
