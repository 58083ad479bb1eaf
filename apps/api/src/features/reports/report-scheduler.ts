import { Injectable } from '@nestjs/common';
import { nextReportRun, reportEmail, reportPeriod, type EmailMessage } from '@heliograph/domain';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db, isUnavailable } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { DueEmails } from '../../core/mail/due-emails.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { BrandsService, type AppliedBrand } from '../brands/brands.service.ts';
import { ForbiddenError, ReportRights } from './report-rights.ts';
import type { ReportSchedule } from './report-schedule.entity.ts';
import { REPORT_EMAILS, ReportSchedulesStore, type ReportEmail } from './report-schedules.store.ts';

const DUE_BATCH_SIZE = 50;
/** Until a schedule that failed is tried again: the period of its report is still the same. */
const RETRY_SECONDS = 3600;

/** Requests the reports of schedules and sends the e-mails about them, in workers. docs/decisions/031-reports-of-an-account.md. */
@Injectable()
export class ReportScheduler {
  constructor(
    private readonly db: Db,
    private readonly store: ReportSchedulesStore,
    private readonly reports: AccountReportsStore,
    private readonly rights: ReportRights,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly emails: DueEmails,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly clock: Clock,
    private readonly brands: BrandsService,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
  ) {}

  @Sweeps(5000)
  async requestDue(): Promise<boolean> {
    for (let i = 0; i < DUE_BATCH_SIZE && !this.shutdown.isStopping; i++)
      if (!(await this.requestNext())) return false;
    return true;
  }

  /**
   * The report and the next run are one transaction, so that a period has one report, whatever happens to the worker. A schedule that
   * fails, such as one whose time zone is no longer known, waits and keeps no other one from its report.
   */
  private async requestNext(): Promise<boolean> {
    let schedule: ReportSchedule | null = null;
    try {
      return await this.db.transaction(async () => {
        schedule = await this.store.lockDue(this.clock.now());
        if (schedule) await this.request(schedule);
        return schedule !== null;
      });
    } catch (error) {
      const failed = schedule as ReportSchedule | null;
      if (!failed || isUnavailable(error)) throw error;
      this.log.error({ err: error, scheduleId: failed.id }, 'A report could not be requested.');
      await this.store.postpone(failed, secondsAfter(this.clock.now(), RETRY_SECONDS));
      return true;
    }
  }

  @Sweeps(2000)
  sendEmails(): Promise<boolean> {
    return this.emails.sendNext(REPORT_EMAILS, { deliver: (id) => this.deliver(id) });
  }

  private async deliver(reportId: string): Promise<void> {
    const email = await this.store.emailOf(reportId);
    if (!email) return;
    const brand = await this.brands.ofUser(email.UserId);
    await this.mailer.deliver(email.to, messageOf(brand, email), { sender: brand.sender });
  }

  private async request(schedule: ReportSchedule): Promise<void> {
    const { id, OwnerId, UserId, TokenId, preset, timeZone, format, encoding, delimiter } =
      schedule;
    const runAt = schedule.nextRunAt!;
    const { start, end, first, last } = reportPeriod(schedule, runAt);
    try {
      await this.rights.scopeOf(schedule);
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      await this.store.stop(id);
      this.events.changed('reportSchedules', 'updated', OwnerId, id);
      await this.notifications.notify(OwnerId, 'ReportScheduleStopped', { id, preset });
      return;
    }
    // A schedule whose hour was changed is due twice on a day.
    if (!schedule.lastPeriod || start > schedule.lastPeriod) {
      const report = await this.reports.create({
        OwnerId,
        UserId,
        TokenId,
        preset,
        timeZone,
        format,
        encoding,
        delimiter,
        ScheduleId: id,
        locale: await this.locales.of(UserId, schedule.locale),
        // Both bounds are excluded.
        where: {
          ...schedule.where,
          createdAt: { $gt: new Date(start.getTime() - 1).toISOString(), $lt: end.toISOString() },
        },
        filename: `${preset}_${first}_${last}.${format}`,
      });
      this.events.changed('reports', 'created', OwnerId, report.id);
      this.jobs.enqueue('report.make', {});
    }
    const lastPeriod =
      schedule.lastPeriod && schedule.lastPeriod > start ? schedule.lastPeriod : start;
    await this.store.advance(id, {
      nextRunAt: nextReportRun(schedule, runAt),
      lastRunAt: this.clock.now(),
      lastPeriod,
    });
    this.events.changed('reportSchedules', 'updated', OwnerId, id);
  }
}

function messageOf(
  { title, url }: AppliedBrand,
  { filename, where, locale, ...report }: ReportEmail,
): EmailMessage {
  const { $gt, $lt } = where.createdAt;
  const range: [Date, Date] = [new Date(Date.parse($gt) + 1), new Date(Date.parse($lt) - 1)];
  return reportEmail(locale, { ...report, title, file: filename, range, url: `${url}/reports` });
}
