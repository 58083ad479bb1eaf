import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  REPORT_PRESETS,
  ReportScheduleInput,
  type ReportScheduleUpdate,
  type ReportWhere,
} from '@heliograph/contract';
import { nextReportRun, type Locale } from '@heliograph/domain';
import { requirePermission, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { changesOf } from '../../core/changes.ts';
import { Db } from '../../core/db/db.ts';
import { TimeZonesStore } from '../../core/db/time-zones.store.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { parse } from '../../core/http/validation.ts';
import { Quotas } from '../../core/quotas.ts';
import { presentSchedule, type ReportSchedule } from './report-schedule.entity.ts';
import { ReportSchedulesStore, SCHEDULES_QUOTA } from './report-schedules.store.ts';

type Values = Omit<ReportScheduleInput, 'locale'> & { locale: Locale };

@Injectable()
export class ReportSchedulesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: ReportSchedulesStore,
    private readonly timeZones: TimeZonesStore,
    private readonly quotas: Quotas,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'reportSchedules',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      presentSchedule,
    );
  }

  async create(actor: Actor, values: Values): Promise<ReportSchedule> {
    await this.assertAllowed(actor, values);
    return this.db.transaction(async () => {
      const { OwnerId, userId: UserId, tokenId: TokenId } = actor;
      const { id } = await this.store.create({ ...this.rowOf(values), OwnerId, UserId, TokenId });
      await this.quotas.check(SCHEDULES_QUOTA, OwnerId);
      this.events.changed('reportSchedules', 'created', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** A schedule that was stopped runs again when it is resumed; what was due meanwhile is not made up for. */
  update(actor: Actor, id: string, changes: ReportScheduleUpdate): Promise<ReportSchedule> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { preset, format, encoding, delimiter, locale, timeZone, where } = row;
      const { frequency, weekday, day, hour, isActive } = row;
      const options = { preset, format, encoding, delimiter, locale, timeZone, where };
      const before = { ...options, frequency, weekday, day, hour, isActive };
      const values = parse(ReportScheduleInput, { ...before, ...changes }) as Values;
      const own = changesOf(before, changes);
      // An account or a permission may have gone since: then the schedule can be paused, but not resumed.
      if (values.isActive || own.preset || own.where) await this.assertAllowed(actor, values);
      // The periods of another frequency or time zone are others: their first one may begin before the last one of these.
      const hasOtherPeriods = values.frequency !== frequency || values.timeZone !== timeZone;
      this.events.changed('reportSchedules', 'updated', row.OwnerId, id);
      return this.store.update(actor.scope, id, {
        ...this.rowOf(values),
        TokenId: actor.tokenId,
        ...(hasOtherPeriods && { lastPeriod: null }),
      });
    });
  }

  /** Pauses all of an account that is closed, in the caller's transaction. Returns how many. */
  async pauseAll(OwnerId: string): Promise<number> {
    const paused = await this.store.pauseAll(OwnerId);
    if (paused) this.events.counted('reportSchedules', 'updated', OwnerId, null, paused);
    return paused;
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      await this.store.remove(actor.scope, id);
      this.events.changed('reportSchedules', 'removed', OwnerId, id);
      return { id };
    });
  }

  private rowOf(values: Values) {
    const { frequency, weekday = null, day = null, isActive } = values;
    const timing = {
      ...values,
      weekday: frequency === 'weekly' ? weekday : null,
      day: frequency === 'monthly' ? day : null,
    };
    const nextRunAt = isActive ? nextReportRun(timing, this.clock.now()) : null;
    return { ...timing, where: values.where as ReportWhere, nextRunAt, reason: null };
  }

  private async assertAllowed(actor: Actor, { preset, where, timeZone }: Values): Promise<void> {
    const { can, accept } = REPORT_PRESETS[preset];
    requirePermission(actor, can, accept);
    const { OwnerId } = where;
    if (OwnerId && OwnerId !== actor.OwnerId && !(await this.owners.within(actor.scope, OwnerId)))
      throw new AppError('not_found', undefined, { foreignAccount: OwnerId });
    if (!(await this.timeZones.nameOf(timeZone)))
      throw invalid('timeZone', 'time_zone', 'The time zone is unknown.');
  }
}
