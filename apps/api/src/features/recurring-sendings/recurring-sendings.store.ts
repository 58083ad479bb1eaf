import { Injectable } from '@nestjs/common';
import {
  MAX_RECURRING_RUNS,
  MAX_RECURRING_SENDINGS,
  type RecurringRun,
  type recurringSendings,
} from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { RecurringSending, type WithLastRun } from './recurring-sending.entity.ts';

type Query = In<typeof recurringSendings.find>['query'];

export const RECURRING_SENDINGS_QUOTA: Quota = {
  name: 'recurringSendings',
  limit: () => MAX_RECURRING_SENDINGS,
  used: countOf('recurring_sendings'),
};

/** A due time of a recurring sending. */
export interface DueRun {
  id: string;
  dueAt: Date;
}

/** How a run ended: with a bulk, or with an error. */
export type RunEnd = { TaskId: string } | { code: string; error: string };

interface RunRow extends Omit<RecurringRun, 'dueAt' | 'createdAt'> {
  RecurringId: string;
  dueAt: Date;
  createdAt: Date;
}

const RUN_COLUMNS = `recurring_id as "RecurringId", due_at as "dueAt", task_id as "TaskId", code, error, created_at as "createdAt"`;

const presentRun = ({ dueAt, TaskId, code, error, createdAt }: RunRow): RecurringRun => ({
  dueAt: dueAt.toISOString(),
  TaskId,
  code,
  error,
  createdAt: createdAt.toISOString(),
});

@Injectable()
export class RecurringSendingsStore extends Store<RecurringSending, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'r.createdAt', nextRunAt: 'r.nextRunAt', title: 'r.title' },
    filter: { OwnerId: equals('r.owner_id') },
    range: { createdAt: 'r.created_at' },
  };

  constructor(db: Db) {
    super(db, RecurringSending, 'r');
  }

  /** A row as a whole: a merge would keep parts of a payload that are no longer wanted. */
  async replace(row: RecurringSending): Promise<void> {
    await this.db.manager.getRepository(RecurringSending).save(row);
  }

  /** Locks the one that is due longest, apart from those that another worker has locked. */
  async lockDue(now: Date): Promise<RecurringSending | null> {
    return this.locked()
      .where('r.attempt_at <= :now', { now })
      .orderBy('r.attempt_at')
      .setOnLocked('skip_locked')
      .getOne();
  }

  /** Locks it, if its next run is still this one. */
  async lockNext({ id, dueAt }: DueRun): Promise<RecurringSending | null> {
    const row = await this.locked().where('r.id = :id', { id }).getOne();
    return row?.nextRunAt?.getTime() === dueAt.getTime() ? row : null;
  }

  /** Tries its next run later, if that is still this one. */
  async postpone({ id, dueAt }: DueRun, to: Date): Promise<void> {
    await this.db.query(
      `update recurring_sendings set attempt_at = $3 where id = $1 and date_trunc('milliseconds', next_run_at) = $2`,
      [id, dueAt, to],
    );
  }

  pauseAll(OwnerId: string): Promise<number> {
    return this.db.execute(
      `update recurring_sendings set is_active = false, next_run_at = null, attempt_at = null, reason = null, updated_at = now()
        where owner_id = $1 and is_active`,
      [OwnerId],
    );
  }

  /** Keeps the end of a run; a second one of a due time is refused by its key. */
  async addRun({ id, dueAt }: DueRun, end: RunEnd): Promise<void> {
    const { TaskId, code, error } = { TaskId: null, code: null, error: null, ...end };
    await this.db.query(
      `insert into recurring_runs (recurring_id, due_at, task_id, code, error) values ($1, $2, $3, $4, $5)`,
      [id, dueAt, TaskId, code, error],
    );
    await this.db.query(
      `delete from recurring_runs where recurring_id = $1 and due_at <
         (select due_at from recurring_runs where recurring_id = $1 order by due_at desc offset ${MAX_RECURRING_RUNS - 1} limit 1)`,
      [id],
    );
  }

  async hasRun({ id, dueAt }: DueRun): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from recurring_runs where recurring_id = $1 and due_at = $2`,
      [id, dueAt],
    );
    return rows.length > 0;
  }

  /** The last runs, newest first. The caller has checked the access to the recurring sending. */
  async runs(id: string): Promise<RecurringRun[]> {
    const rows = await this.db.query<RunRow>(
      `select ${RUN_COLUMNS} from recurring_runs where recurring_id = $1 order by due_at desc limit ${MAX_RECURRING_RUNS}`,
      [id],
    );
    return rows.map(presentRun);
  }

  async withLastRuns<Row extends RecurringSending>(rows: Row[]): Promise<WithLastRun<Row>[]> {
    if (!rows.length) return [];
    const last = await this.db.query<RunRow>(
      `select distinct on (recurring_id) ${RUN_COLUMNS} from recurring_runs where recurring_id = any($1) order by recurring_id, due_at desc`,
      [rows.map(({ id }) => id)],
    );
    const byId = new Map(last.map((run) => [run.RecurringId, presentRun(run)]));
    return rows.map((row) => ({ ...row, lastRun: byId.get(row.id) ?? null }));
  }

  private locked() {
    return this.db.manager
      .getRepository(RecurringSending)
      .createQueryBuilder('r')
      .limit(1)
      .setLock('pessimistic_write');
  }
}
