import { Injectable } from '@nestjs/common';
import type { FailedJob } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { QUEUES } from '../../core/jobs/catalog.ts';
import { FailedJobsStore, type FailedJobRow } from '../../core/jobs/failed-jobs.store.ts';
import { Jobs } from '../../core/jobs/queue.ts';

const SHOWN = 100;
const KEPT_MS = 30 * 24 * 3_600_000;

/** Jobs that failed, and what administrators do about them. */
@Injectable()
export class FailedJobsService {
  constructor(
    private readonly db: Db,
    private readonly store: FailedJobsStore,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async find(): Promise<FailedJob[]> {
    return (await this.store.find(SHOWN)).map(present);
  }

  async retry(id: string): Promise<FailedJob> {
    const { data } = await this.enqueue({ id });
    return data[0]!;
  }

  async retryAll(queue: string): Promise<{ data: FailedJob[] }> {
    if (!Object.hasOwn(QUEUES, queue)) throw new AppError('not_found');
    return this.enqueue({ queue });
  }

  async remove(id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(id);
      if (!row) throw new AppError('not_found');
      await this.audit.record({ target: ['installation', null], before: said(row) });
      return { id };
    });
  }

  async bound(): Promise<void> {
    await this.store.bound(new Date(this.clock.now().getTime() - KEPT_MS));
  }

  /** Jobs of rows that are done or being worked on find nothing to do. */
  private async enqueue(of: { id: string } | { queue: string }): Promise<{ data: FailedJob[] }> {
    if (!(await this.jobs.ready())) throw new AppError('unavailable');
    return this.db.transaction(async () => {
      const rows = await this.store.retried(of, this.clock.now());
      if ('id' in of && !rows.length) throw new AppError('not_found');
      for (const { name, payload } of rows) this.jobs.enqueue(name, payload as never);
      await this.audit.record({
        target: ['installation', null],
        after: 'queue' in of ? { ...of, jobs: rows.length } : said(rows[0]!),
      });
      return { data: rows.map(present) };
    });
  }
}

const subjectOf = (payload: object): string | null =>
  (Object.values(payload) as string[])[0] ?? null;

const said = ({ name, payload }: FailedJobRow) => ({ job: name, subject: subjectOf(payload) });

const present = ({ payload, failedAt, retriedAt, doneAt, ...row }: FailedJobRow): FailedJob => ({
  ...row,
  subject: subjectOf(payload),
  failedAt: failedAt.toISOString(),
  retriedAt: retriedAt && retriedAt.toISOString(),
  doneAt: doneAt && doneAt.toISOString(),
});
