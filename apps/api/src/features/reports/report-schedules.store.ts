import { Injectable } from '@nestjs/common';
import { MAX_REPORT_SCHEDULES, type reportSchedules } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { ReportSchedule } from './report-schedule.entity.ts';

type Query = In<typeof reportSchedules.find>['query'];

export const SCHEDULES_QUOTA: Quota = {
  name: 'reportSchedules',
  limit: () => MAX_REPORT_SCHEDULES,
  used: countOf('report_schedules'),
};

/** How long a worker may take to send an e-mail before another one sends it. Twice as long after each attempt. */
const EMAIL_SECONDS = 120;

/** A completed report of a schedule whose e-mail is due. Without an address nothing is sent; the report may be removed. */
export interface DueEmail {
  id: string;
  /** With this one. */
  tries: number;
  filename: string;
  rows: number;
  where: { createdAt: { $gt: string; $lt: string } };
  timeZone: string;
  expiresAt: Date;
  username: string;
  locale: Locale;
  email: string | null;
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

  /** Locks schedules that are due, apart from those that another worker has locked. */
  async lockDue(now: Date, limit: number): Promise<ReportSchedule[]> {
    return this.db.manager
      .getRepository(ReportSchedule)
      .createQueryBuilder('c')
      .where('c.next_run_at <= :now', { now })
      .orderBy('c.next_run_at')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
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

  /** In the transaction that completes a report of a schedule. */
  async addEmail(reportId: string): Promise<void> {
    await this.db.query(`insert into report_emails (report_id) values ($1)`, [reportId]);
  }

  /**
   * Takes e-mails that are due for one attempt. Each is due again later, for the case that the attempt fails or that this worker is killed,
   * until `removeEmail`.
   */
  claimEmails(limit: number): Promise<DueEmail[]> {
    return this.db.query(
      `with due as (
         update report_emails set tries = tries + 1, due_at = now() + make_interval(secs => ${EMAIL_SECONDS} * 2 ^ tries)
          where report_id in (select report_id from report_emails where due_at <= now() order by due_at limit $1 for update skip locked)
         returning report_id, tries
       )
       select due.report_id as id, due.tries, r.filename, r.rows, r."where", r.time_zone as "timeZone", r.expires_at as "expiresAt", u.username, r.locale,
              case when u.is_active and o.is_active and u.email_confirmed_at is not null then u.data->>'email' end as email
         from due left join reports r on r.id = due.report_id left join users u on u.id = r.user_id left join users o on o.id = r.owner_id`,
      [limit],
    );
  }

  async removeEmail(reportId: string): Promise<void> {
    await this.db.query(`delete from report_emails where report_id = $1`, [reportId]);
  }
}
