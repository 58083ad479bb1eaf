import { Injectable } from '@nestjs/common';
import { MAX_REPORT_SCHEDULES, type reportSchedules } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { EmailTable } from '../../core/mail/due-emails.store.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { ReportSchedule } from './report-schedule.entity.ts';

type Query = In<typeof reportSchedules.find>['query'];

export const SCHEDULES_QUOTA: Quota = {
  name: 'reportSchedules',
  limit: () => MAX_REPORT_SCHEDULES,
  used: countOf('report_schedules'),
};

/** About completed reports of schedules. */
export const REPORT_EMAILS: EmailTable = {
  table: 'report_emails',
  id: 'report_id',
  due: 'due_at',
  tries: 'tries',
  isKept: false,
};

/** What an e-mail says of a report, and its address. */
export interface ReportEmail {
  UserId: string;
  to: string;
  filename: string;
  rows: number;
  where: { createdAt: { $gt: string; $lt: string } };
  timeZone: string;
  expiresAt: Date;
  username: string;
  locale: Locale;
}

@Injectable()
export class ReportSchedulesStore extends Store<ReportSchedule, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'c.createdAt', nextRunAt: 'c.nextRunAt' },
    filter: { OwnerId: equals('c.owner_id'), UserId: equals('c.user_id') },
    range: { createdAt: 'c.created_at' },
  };

  constructor(db: Db) {
    super(db, ReportSchedule, 'c');
  }

  /** Locks the schedule that is due longest, apart from those that another worker has locked. */
  async lockDue(now: Date): Promise<ReportSchedule | null> {
    return this.db.manager
      .getRepository(ReportSchedule)
      .createQueryBuilder('c')
      .where('c.next_run_at <= :now', { now })
      .orderBy('c.next_run_at')
      .limit(1)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getOne();
  }

  /** Unless it was changed meanwhile. */
  async postpone({ id, nextRunAt }: ReportSchedule, to: Date): Promise<void> {
    await this.db.query(
      `update report_schedules set next_run_at = $3 where id = $1 and date_trunc('milliseconds', next_run_at) = $2`,
      [id, nextRunAt, to],
    );
  }

  async advance(
    id: string,
    { nextRunAt, lastRunAt, lastPeriod }: Record<'nextRunAt' | 'lastRunAt' | 'lastPeriod', Date>,
  ): Promise<void> {
    await this.db.query(
      `update report_schedules set next_run_at = $2, last_run_at = $3, last_period = $4, updated_at = now() where id = $1`,
      [id, nextRunAt, lastRunAt, lastPeriod],
    );
  }

  async stop(id: string): Promise<void> {
    await this.db.query(
      `update report_schedules set is_active = false, next_run_at = null, reason = 'forbidden', updated_at = now() where id = $1`,
      [id],
    );
  }

  pauseAll(OwnerId: string): Promise<number> {
    return this.db.execute(
      `update report_schedules set is_active = false, next_run_at = null, updated_at = now() where owner_id = $1 and is_active`,
      [OwnerId],
    );
  }

  /** In the transaction that completes a report of a schedule. */
  async addEmail(reportId: string): Promise<void> {
    await this.db.query(`insert into report_emails (report_id) values ($1)`, [reportId]);
  }

  /** Null without an address: the report or its user is removed, or the address is not confirmed. */
  async emailOf(reportId: string): Promise<ReportEmail | null> {
    const [row] = await this.db.query<ReportEmail>(
      `select u.id as "UserId", u.data->>'email' as "to", r.filename, r.rows, r."where", r.time_zone as "timeZone", r.expires_at as "expiresAt", u.username, r.locale
         from reports r join users u on u.id = r.user_id join users o on o.id = r.owner_id
        where r.id = $1 and u.is_active and o.is_active and u.email_confirmed_at is not null and u.data->>'email' is not null`,
      [reportId],
    );
    return row ?? null;
  }
}
